import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculate } from '../../../../servers/calculator/calculate.ts';
import { expectRefusals, expectValues, refused } from './answers.ts';

const nested = (open: string, close: string, times: number) => `${open.repeat(times)}1${close.repeat(times)}`;

test('An expression may be so long, so deep and so complex, and no more', () => {
  expectValues([
    [nested('(', ')', 40), 1],
    [Array(100).fill('1').join('+'), 100],
    ['9'.repeat(40), '9'.repeat(40)],
    ['1e9999', '1e+9999'],
    [`len([${Array(100).fill('1').join(',')}])`, 100],
  ]);
  expectRefusals('CALC_TOO_LARGE', [
    '1'.repeat(513),
    '1+'.repeat(5000),
    ' '.repeat(3) + '1+1'.padEnd(600, '+1'),
    nested('(', ')', 41),
    nested('(', ')', 200),
    nested('[', ']', 60),
    nested('sqrt(', ')', 60),
    '-'.repeat(60).concat('1'),
    '√'.repeat(60).concat('1'),
    '2^'.repeat(60).concat('1'),
    Array(200).fill('1').join('+'),
    '9'.repeat(61),
    '1e10000',
    '1e-10000',
    `[${'1,'.repeat(101)}1]`,
  ]);
});

test('Sizes that nobody can wait for are refused before the work begins', () => {
  expectRefusals('CALC_TOO_LARGE', [
    '9**9**9**9',
    '9**9**9**9**9',
    '((99!)!)!',
    '(((9!)!)!)!',
    '(10000!)!',
    '1e50!',
    'comb(1e9,5e8)',
    'perm(1e300,10000)',
    'sum(range(1e9))',
    'len(range(1e12))',
    'list(range(200))',
    'sorted(range(10000))',
    '1<<5000',
    'hex(10000!)',
    'gcd(10000!, 9999!)',
    'isqrt(10000!)',
    'pow(10000!, 10000!, 10000!)',
    'pow(2, 10**400, 7)',
    'exp(1e20)',
    'sinh(1e17)',
    'sin(1e60)',
    'gamma(-1e40-0.5)',
    '2**(10**50)',
    '2**0.5*1e60 % 7',
    'harmonic_mean(range(1,10001))',
    Array(60).fill('atan(0.7)').join('+').slice(0, 509),
  ]);
});

test('Large numbers that are cheap are answered', () => {
  expectValues([
    ['9**9**9', '4.28124773175747e+369693099'],
    ['10000!', '2.84625968091705e+35659'],
    ['100000!', '2.82422940796035e+456573'],
    ['99999999999!', '3.74892859910503e+1056570551804'],
    ['comb(10000,5000)', '1.59179026353244e+3008'],
    ['prod(range(1,10001))', '2.84625968091705e+35659'],
    ['10000!*10000!', '8.10119417121405e+71318'],
    ['sinh(1e10)', '5.38875303979282e+4342944818'],
    ['1.0000001**1e9', 2.68810370126492e43],
    ['(1/3)**1000', '7.5638913231041e-478'],
    ['sum(range(10000))', 49995000],
    ['pow(2,1000000,1000007)', 21861],
    ['1**(10**50)', 1],
    [`${Array(30).fill('5!').join('+')}+${Array(15).fill('comb(9,3)').join('+')}`, 4860],
  ]);
});

test('A refusal leaves nothing behind that would slow the next answer or change it', () => {
  expectRefusals('CALC_TOO_LARGE', [
    'lgamma((√(2**100000))/-1)',
    'gamma(-1e30-0.5)',
    'sin(1e999)',
    'atan(1e9999)*1e50!',
  ]);
  expectValues([['exp(1)-e', 0]]);
});

test('Work that adds up is cut off by the budget', () => {
  const heavy = Array(40).fill('10000!').join('*');
  assert.equal(refused(heavy).code, 'CALC_TOO_LARGE');
});

test('No combination of functions and hostile numbers fails in any other way than by its codes', () => {
  const numbers = [
    '0',
    '-1',
    '0.1',
    '1/3',
    '1e300',
    '-1e9999',
    '10000!',
    '2j',
    'inf',
    '5 kg',
    '[1,2]',
    'range(9)',
    'None',
  ];
  const names =
    'floor round abs sqrt cbrt pow exp log sin atan2 sinh gamma erf factorial comb gcd hex sum mean stdev'.split(
      ' ',
    );
  for (const name of names) {
    for (const a of numbers) {
      for (const expression of [`${name}(${a})`, ...numbers.slice(0, 6).map((b) => `${name}(${a}, ${b})`)]) {
        const answer = calculate(expression);
        assert.ok(
          answer.status === 'success' || answer.message !== 'This calculation is not supported.',
          expression,
        );
      }
    }
  }
});
