import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, expectRefusals, expectValues, refused } from './answers.ts';

test('A % with an operand after it is the remainder of Python', () => {
  expectValues([
    ['10 mod 3', 1],
    ['10 % 3', 1],
    ['10%3', 1],
    ['-7 % 3', 2],
    ['7 % -3', -2],
    ['10 % -3', -2],
    ['10 %-3', -2],
    ['5 %+3', 2],
    ['10%(3)', 1],
    ['5.5 % 2', 1.5],
    ['10%3%2', 1],
  ]);
});

test('A % that touches its operand before an operator, a bracket or the end is a percentage', () => {
  expectValues([
    ['10%-3', -2.9],
    ['15%+1', 1.15],
    ['15% of 80', 12],
    ['15 percent of 80', 12],
    ['20% of 50% of 1000', 100],
    ['200*15%', 30],
    ['100/50%', 200],
    ['(10%)', 0.1],
    ['3 %', 0.03],
    ['80 + 15 %', 92],
    ['max(10%, 5%)', 0.1],
    ['-15%', -0.15],
    ['5!%', 1.2],
    ['1/2 of 80', 40],
  ]);
});

test('A symptom from the field: 22573.8*8%-1614.86 gave -273.92', () => {
  expectValues([
    ['22573.8*8%-1614.86', 191.044],
    ['22573.8 * 8% - 1614.86', 191.044],
  ]);
});

test('A sum with a percentage takes it of what stands before, unless that is a percentage itself', () => {
  expectValues([
    ['80+15%', 92],
    ['20+10%', 22],
    ['200-25%', 150],
    ['100-10%-10%', 81],
    ['50%+50%', 1],
    ['50%+10%+10%', 0.7],
    ['100+10%*2', 100.2],
    ['80 kg + 15%', '92 kg'],
    ['100*(1+5%)^2', 110.25],
  ]);
});

test('Two % signs in a row are refused where the second stands', () => {
  expectRefusals('CALC_SYNTAX', ['35%%', '10%%3', '5 of 10']);
  assert.equal(refused('35%%').position, 3);
});

test('The reading tells a remainder from a percentage', () => {
  assert.equal(answered('10 %-3').reading, '10 mod -3');
  assert.equal(answered('10%-3').reading, '10% - 3');
  assert.equal(answered('80+15%').reading, '80 + 15% of 80');
});
