import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { speechIn } from '../../../cloud/voice/real-speech-gate.ts';
import { answerIn, dictionaryFor } from '../../../cloud/voice/real-speech-grammar.ts';
import { plainWords, writtenOut } from '../../../cloud/voice/real-speech-words.ts';

const WRITTEN: Readonly<Record<string, string>> = {
  'The result is 329312.': 'The result is three hundred twenty nine thousand three hundred twelve.',
  'what is 1004 times 328?': 'what is one thousand four times three hundred twenty eight?',
  '3 + 4 * 2 / 1': 'three plus four times two divided by one',
  '10 - 2': 'ten minus two',
  '-5.25': 'minus five point two five',
  '0, 20 and 2000000001': 'zero, twenty and two billion one',
  '15% of 80': 'fifteen percent of eighty',
  '1234567890123': 'one two three four five six seven eight nine zero one two three',
  'version 1.2.3 of v2': 'version 1.2.3 of v2',
};

describe('numbers and signs are written out for the voice', () => {
  for (const [text, words] of Object.entries(WRITTEN)) it(text, () => assert.equal(writtenOut(text), words));

  it('and the recogniser has them without points and capitals', () => {
    assert.equal(plainWords("What's  15% of 80?"), "what's fifteen percent of eighty");
  });
});

describe('an answer that was recognised', () => {
  const answers = ['The result is N.', 'From N to N, please.', 'Sorry, no.'];

  it('is given as it was written', () => {
    assert.equal(answerIn('the result is minus five point zero five', answers), 'The result is -5.05.');
    assert.equal(answerIn('from one hundred to two thousand please', answers), 'From 100 to 2000, please.');
    assert.equal(answerIn('sorry no', answers), 'Sorry, no.');
  });

  it('is none where it is not one of the answers', () => {
    assert.equal(answerIn('the result is', answers), undefined);
    assert.equal(answerIn('sorry', answers), undefined);
  });
});

describe('the dictionary of a grammar', () => {
  const cmudict = 'go G OW\nread R EH D\nread(2) R IY D\nreadily R EH D AH L IY\n';

  it('has the ways to say its words, and no others', () => {
    assert.equal(dictionaryFor('<a> = read [go];', cmudict), 'go G OW\nread R EH D\nread(2) R IY D\n');
  });

  it('is refused for a word that nobody knows', () => {
    assert.throws(() => dictionaryFor('public <a> = read unmute;', cmudict), /"unmute"/);
  });
});

describe('of a recording', () => {
  const sound = (ms: number, level: (ms: number) => number) =>
    Int16Array.from({ length: ms * 16 }, (_, at) => level(at / 16) * Math.sin(at / 3));
  /** Vowels of 150 ms and stops of 50. */
  const speech = (ms: number) => (ms % 200 < 150 ? 6000 : 200);

  it('what may be speech is kept, with a margin around it', () => {
    const kept = speechIn(
      sound(3000, (ms) => (ms > 1000 && ms < 2000 ? speech(ms) : 0)),
      16_000,
    );
    assert.ok(kept && Math.abs(kept.length / 16 - 1400) <= 40, `${(kept?.length ?? 0) / 16} ms`);
  });

  it('silence, a click and a steady sound are not', () => {
    assert.equal(speechIn(new Int16Array(0), 16_000), undefined);
    assert.equal(
      speechIn(
        sound(1000, () => 0),
        16_000,
      ),
      undefined,
    );
    assert.equal(
      speechIn(
        sound(1000, (ms) => (ms > 500 && ms < 550 ? 9000 : 0)),
        16_000,
      ),
      undefined,
    );
    assert.equal(
      speechIn(
        sound(1000, () => 5000),
        16_000,
      ),
      undefined,
    );
  });
});
