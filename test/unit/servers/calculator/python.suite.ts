import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculate } from '../../../../servers/calculator/calculate.ts';
import { answered, expectRefusals, expectValues } from './answers.ts';

test('Operators and literals of Python mean what they mean there', () => {
  expectValues([
    ['2**10', 1024],
    ['-2**2', -4],
    ['2**-1', 0.5],
    ['-7//2', -4],
    ['7//2', 3],
    ['-5.5//2', -3],
    ['True and not False', true],
    ['not 1 == 2', true],
    ['0 or 5', 5],
    ['1 and 2', 2],
    ['True + 1', 2],
    ['None', null],
    ['1 < 2 < 3', true],
    ['1 < 3 < 2', false],
    ['1 != 2', true],
    ['1<<10', 1024],
    ['5 & 3 | 8', 9],
    ['~5', -6],
    ['5 if 3 > 2 else 7', 5],
    ['1 if False else 2 if False else 3', 3],
    ['1 if 1 > 0 else 1/0', 1],
    ['[1, 2] == [1, 2]', true],
    ['(1, 2, 3)', [1, 2, 3]],
  ]);
});

test('Functions answer with and without the name of their module', () => {
  expectValues([
    ['math.sqrt(16)', 4],
    ['math.degrees(math.pi)', 180],
    ['math.tau', 6.28318530717959],
    ['log(8, 2)', 3],
    ['math.log10(1000)', 3],
    ['math.comb(52, 5)', 2598960],
    ['perm(5, 2)', 20],
    ['gcd(12, 18, 24)', 6],
    ['lcm(4, 6)', 12],
    ['isqrt(17)', 4],
    ['math.factorial(5)', 120],
    ['hypot(3, 4)', 5],
    ['dist([0, 0], [3, 4])', 5],
    ['fmod(-7, 3)', -1],
    ['copysign(3, -1)', -3],
    ['int(-2.7)', -2],
    ['divmod(-7, 2)', [-4, 1]],
    ['pow(7, 46, 47)', 1],
    ['hex(255)', '0xff'],
    ['bin(10)', '0b1010'],
    ['oct(8)', '0o10'],
    ['xor(5, 3)', 6],
    ['prod([1, 2, 3, 4])', 24],
    ['sum(range(1, 101))', 5050],
    ['sum([1, 2, 3])/len([1, 2, 3])', 2],
    ['sorted([3, 1, 2])', [1, 2, 3]],
    ['statistics.mean([1, 2, 3, 4])', 2.5],
    ['statistics.median([3, 1, 2])', 2],
    ['statistics.mode([1, 2, 2, 3, 3])', 2],
    ['statistics.pvariance(range(100))', 833.25],
    ['np.std([1, 3])', 1],
    ['expm1(0)', 0],
    ['math.erf(0.5)', 0.520499877813047],
    ['gamma(0.5)**2 == pi', true],
  ]);
});

test('Halves are rounded away from zero, on the decimal that was written', () => {
  expectValues([
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(0.5)', 1],
    ['round(2.675, 2)', 2.68],
    ['round(1.005, 2)', 1.01],
    ['round(1234567.891, -3)', 1235000],
    ['round(100*pi, 2)', 314.16],
  ]);
});

test('Random functions draw within their bounds', () => {
  const highest = (bound: bigint) => bound - 1n;
  const draw = (expression: string, random: (bound: bigint) => bigint) => {
    const answer = calculate(expression, { random });
    return answer.status === 'success' ? answer.value : answer.code;
  };
  assert.equal(
    draw('random.randint(1, 6)', () => 0n),
    1,
  );
  assert.equal(draw('random.randint(1, 6)', highest), 6);
  assert.equal(draw('random.randrange(0, 10, 5)', highest), 5);
  assert.equal(
    draw('random.random()', () => 500_000_000_000_000n),
    0.5,
  );
  assert.equal(
    draw('random.uniform(10, 20)', () => 0n),
    10,
  );
  assert.equal(draw('random.choice([7, 8, 9])', highest), 9);
  assert.deepEqual(
    draw('random.sample(range(100), 3)', () => 0n),
    [0, 1, 2],
  );
  for (let n = 0; n < 50; n += 1) assert.ok([1, 2, 3].includes(answered('randint(1, 3)').value as number));
  expectRefusals('CALC_DOMAIN', ['random.randint(6, 1)', 'random.choice([])', 'sample([1], 2)']);
});

test('What models write around an expression is taken off', () => {
  expectValues([
    ['import math; math.sqrt(16)', 4],
    ['import math\nmath.sqrt(16)', 4],
    ['from math import sqrt, pi; sqrt(16)', 4],
    ['print(2+3)', 5],
    ['print(math.factorial(5))', 120],
    ['2+3=', 5],
    ['2+3 = ?', 5],
    ['2+3;', 5],
    ['5!=', 120],
    ['`2+3`', 5],
    ['```python\n2+3\n```', 5],
    ['what is 2+3?', 5],
    ["What's 15% of 80?", 12],
    ['calculate 3*3', 9],
    ['the result of 3*3 is?', 9],
    ['=SUM(1,2,3)', 6],
    ['2+3.', 5],
  ]);
});

test('Programs are refused with one sentence', () => {
  expectRefusals('CALC_SYNTAX', [
    '[x**2 for x in range(3)]',
    'lambda x: x',
    'x = 5',
    'x = 5; x*2',
    'sorted([1], reverse=True)',
    'f"{1}"',
    '[1, 2][0]',
    '(1).real',
    'def f(x): return x',
    '1; 2',
    '{1: 2}',
    'import math',
  ]);
});
