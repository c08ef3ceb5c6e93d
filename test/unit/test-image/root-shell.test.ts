import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerIn, question } from '../../image/root-shell.ts';

test('the answer of a command is what stands between its two marks, with its exit code', () => {
  assert.deepEqual(answerIn('noise\n<7<\none\ntwo\n\n>7> 3\n', 7), { code: 3, output: 'one\ntwo\n' });
});

test('there is no answer before its last mark is whole', () => {
  for (const text of ['', '<7<\n', '<7<\none', '<7<\none\n>7> 0', '<6<\none\n>6> 0\n']) {
    assert.equal(answerIn(text, 7), undefined);
  }
});

test('a command that says nothing has an answer too', () => {
  assert.deepEqual(answerIn('<1<\n\n>1> 0\n', 1), { code: 0, output: '' });
});

test('the echo of a question is not taken for its answer', () => {
  const asked = question('echo hi', 4);
  assert.equal(answerIn(asked, 4), undefined);
  assert.deepEqual(answerIn(`${asked}<4<\nhi\n\n>4> 0\n`, 4), { code: 0, output: 'hi\n' });
});
