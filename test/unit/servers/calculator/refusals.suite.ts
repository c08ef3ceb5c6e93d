import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculate } from '../../../../servers/calculator/calculate.ts';
import { expectRefusals, expectValues, refused } from './answers.ts';
import { ESCAPES } from './escapes.ts';

test('Whatever reaches for the interpreter is refused, and arithmetic still works', () => {
  process.env.CANARY = 'canary-value';
  for (const expression of ESCAPES) {
    assert.doesNotMatch(JSON.stringify(refused(expression)), /canary-value|native code|function \(/);
  }
  delete process.env.CANARY;
  expectValues([
    ['2+3*4', 14],
    ['sqrt(2)^2', 2],
    ['max(1,2,3)', 3],
  ]);
});

test('Access to properties, text and assignments are errors of syntax', () => {
  expectRefusals('CALC_SYNTAX', ['process.env', 'a.b.c', '"a"', "'a'", 'a=1', '2+2=4', '1.real', '(1).real']);
});

test('A name that is not known is said with the nearest one that is', () => {
  expectRefusals('CALC_UNKNOWN_NAME', ['foo', 'this', 'constructor', '2 apples', 'math.foo(1)', 'x+1']);
  assert.equal(
    refused('sqr(2)').message,
    'There is no function, constant or unit called sqr; did you mean sqrt?',
  );
});

test('An error says where it is, counted in the expression as it was given', () => {
  const places: [string, number][] = [
    ['1 + foo', 4],
    ['  1 + foo', 6],
    ['５ + foo', 4],
    ['㎞ + 1', 0],
    ['what is 1 + foo?', 12],
    ['1/0', 1],
    ['2 + (1/0)', 6],
    ['2 + log(0)', 4],
    ['(1+2', 0],
    ['1+', 2],
    ['1 2', 2],
    ['1,5', 1],
  ];
  for (const [expression, position] of places)
    assert.equal(refused(expression).position, position, expression);
});

test('Nothing, signs without meaning and half expressions are errors of syntax', () => {
  expectRefusals('CALC_SYNTAX', [
    '',
    '   ',
    '=',
    '?',
    ')',
    '*',
    '()',
    '1+)',
    '[1',
    '[1,,2]',
    'sqrt()',
    'sqrt(1,2)',
    'sqrt',
    'print()',
    '3!!',
    '1 if True',
    '1\0+2',
    '😀',
    '1+😀',
    '\ud800',
    '2 # two',
    '100 @ 2',
    '1..2',
  ]);
});

test('No answer is anything but JSON', () => {
  for (const expression of [
    ...ESCAPES,
    '\ud800',
    'inf',
    '-inf',
    'None',
    '[1,[2,3]]',
    '1e400',
    '1e-400',
    '5 kg',
  ]) {
    const answer = calculate(expression);
    assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer);
  }
});
