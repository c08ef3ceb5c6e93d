import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Sentences } from '../../cloud/brain/sentences.ts';

/** What the voice is given, piece by piece and at the end. */
function cut(...pieces: string[]): string[][] {
  const sentences = new Sentences();
  return [...pieces.map((piece) => sentences.take(piece)), sentences.end()];
}

describe('an answer is spoken sentence by sentence', () => {
  it('each as soon as it is whole', () => {
    assert.deepEqual(cut('It is', ' sunny. Take', ' a hat! ', 'Bye'), [
      [],
      ['It is sunny.'],
      ['Take a hat!'],
      [],
      ['Bye'],
    ]);
    assert.deepEqual(cut('晴れです。帽子を', '「どうぞ。」はい'), [
      ['晴れです。'],
      ['帽子を「どうぞ。」'],
      ['はい'],
    ]);
  });

  it('and no number is cut in two', () => {
    assert.deepEqual(cut('The BMI is 23', '.', '9. Fine.'), [[], [], ['The BMI is 23.9.'], ['Fine.']]);
    assert.deepEqual(cut('1. Boil water.\n2. Wait.'), [['1. Boil water.'], ['2. Wait.']]);
  });

  it('and silence is no sentence', () => {
    assert.deepEqual(cut('', ' \n\n', ' '), [[], [], [], []]);
  });
});
