import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, expectValues } from './answers.ts';

test('A value is a JSON number where a double holds its 15 digits, else a string of digits', () => {
  expectValues([
    ['1/3', 0.333333333333333],
    ['1004*328', 329312],
    ['1e-7', 1e-7],
    ['123456789012345', 123456789012345],
    ['1234567890123456', '1234567890123456'],
    ['2**53', '9007199254740992'],
    ['10**20', 1e20],
    ['10**30', '1000000000000000000000000000000'],
    ['10**39', `1${'0'.repeat(39)}`],
    ['-(2**100)', '-1267650600228229401496703205376'],
    ['10**40', 1e40],
    ['100!', 9.33262154439442e157],
    ['1000!', '4.02387260077094e+2567'],
    ['1e-400', '1e-400'],
    ['floor(exp(80))', '55406223843935100525711733958316612'],
    ['0.1234567890123456789', 0.123456789012346],
  ]);
});

test('Truth, nothing, lists and infinity have their own forms', () => {
  expectValues([
    ['3 > 2', true],
    ['None', null],
    ['[1, 2.5, True]', [1, 2.5, true]],
    ['[[1], []]', [[1], []]],
    ['range(5)', [0, 1, 2, 3, 4]],
    ['-inf', '-inf'],
  ]);
});

test('The reading is one spelling of what was evaluated', () => {
  const readings: [string, string][] = [
    ['１００４×３２８', '1004 * 328'],
    ['(2+3)*4', '(2 + 3) * 4'],
    ['2+(3*4)', '2 + 3 * 4'],
    ['2**3**2', '2^3^2'],
    ['(2**3)**2', '(2^3)^2'],
    ['-(2**2)', '-2^2'],
    ['(-2)**2', '(-2)^2'],
    ['math.sqrt(1_000)', 'sqrt(1000)'],
    ['0x1f', '31'],
    ['√(9+16)', 'sqrt(9 + 16)'],
    ['5 ft 7 in to cm', '5 ft + 7 in to cm'],
    ['100-10%-10%', '(100 - 10% of 100) * (100% - 10%)'],
    ['1 if a else 2'.replace('a', '3>2'), '1 if 3 > 2 else 2'],
    ['sin(30)', 'sin(30 rad)'],
    ['1-(2-3)', '1 - (2 - 3)'],
    ['6/(2*3)', '6 / (2 * 3)'],
  ];
  for (const [expression, expected] of readings) assert.equal(answered(expression).reading, expected);
});

test('Reading the reading again gives the same value', () => {
  const expressions = [
    '22573.8*8%-1614.86',
    '100+50%+50%',
    '(50%+10%)+10%',
    '-2^2 + (-2)^2 * √9',
    '(2 m)^2 + 15%',
    '5 kg*2 m/3 s^2',
    'not (1 < 2 and 3 > 4 or 5 == 5)',
    '1 if (2 if 0 else 0) else 3',
    '(3+4j)*5j - cmath.sqrt(-2)',
    '3 1/2 * (1 - -2)',
    '1億2000万 + 3万5000',
    'round(10 %-3 / 7, 2)',
    '(1 < 2) + ~5',
    '2 - (3 - (4 - 5))',
  ];
  for (const expression of expressions) {
    const { reading, value, unit } = answered(expression);
    assert.deepEqual(
      answered(reading),
      { status: 'success', value, ...(unit && { unit }), reading },
      expression,
    );
  }
});
