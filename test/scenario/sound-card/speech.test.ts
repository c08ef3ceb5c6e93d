import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Application, createDecoder, createEncoder } from 'libopus-wasm';
import { think } from '../../cloud/brain/brain.ts';
import { openRealSpeech } from '../../cloud/voice/real-speech.ts';
import { plainWords } from '../../cloud/voice/real-speech-words.ts';
import { SAID_HZ } from '../../cloud/voice/speech.ts';
import { resample } from '../../terminal/sound-card/resample.ts';
import { forProof, realSpeech } from '../prerequisite.ts';
import { event, KINDS, now, play, record, until, withCard } from './scene.ts';

const QUESTION = 'what is one thousand four times three hundred twenty eight';
const ANSWER = 'The result is 329312.';

const QUESTIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  [QUESTION]: { expression: '1004*328' },
  'What is 15 percent of 80?': { expression: '15% of 80' },
  'calculate 2.5 times 4 plus 99': { expression: '2.5*4+99' },
  "what's the square root of 144?": { expression: 'sqrt(144)' },
  'subtract 25 from 100': { expression: '100-25' },
  'what time is it in London?': { timezone: 'Europe/London' },
};

const ANSWERS = [
  ANSWER,
  'The result is 0.',
  'The result is -5.25.',
  'The result is 688048241.',
  'The BMI is 22.5, normal weight.',
  'Sorry, I do not know how to answer that.',
];

const { skip } = forProof(realSpeech());

describe('real speech', { skip, concurrency: 2 }, () => {
  for (const [question, args] of Object.entries(QUESTIONS)) {
    it(`hears "${question}" as the brain understands it`, async (test) => {
      await using speech = await openRealSpeech();
      const sound = await speech.question(question);
      const spoken = now();
      const words = await speech.understand(sound);
      test.diagnostic(`${Math.round(sound.length / 16)} ms understood in ${Math.round(now() - spoken)} ms`);
      assert.equal(words, plainWords(question));
      assert.deepEqual(think(words ?? '')?.args, args);
    });
  }

  for (const answer of ANSWERS) {
    it(`says "${answer}" so that it is recognised after Opus, with silence around it`, async () => {
      await using speech = await openRealSpeech();
      const sound = await throughOpus(await speech.say(answer));
      const played = new Int16Array(sound.length + 2 * SAID_HZ);
      played.set(sound, SAID_HZ);
      assert.equal(await speech.recognise(played, SAID_HZ), answer);
      assert.equal(await speech.recognise(resample(played, SAID_HZ, 48_000), 48_000), answer);
    });
  }

  it('does not take an answer that was cut for the whole one', async () => {
    await using speech = await openRealSpeech();
    for (const answer of ANSWERS) {
      const sound = await speech.say(answer);
      const cut = sound.subarray(0, sound.length - SAID_HZ / 2);
      assert.notEqual(await speech.recognise(cut, SAID_HZ), answer);
    }
  });

  it('hears nothing in silence, a click, noise and tones', async () => {
    await using speech = await openRealSpeech();
    const make = (sample: (at: number) => number) =>
      Int16Array.from({ length: 48_000 }, (_, at) => sample(at));
    const noise = () => Math.round((Math.random() - 0.5) * 8000);
    const sounds = {
      silence: make(() => 0),
      click: make((at) => (at === 9000 ? 30_000 : 0)),
      noise: make(noise),
      'bursts of noise': make((at) => (Math.floor(at / 3200) % 2 === 0 ? noise() : 0)),
      tone: make((at) => 8000 * Math.sin(at / 6)),
      beeps: make((at) =>
        Math.floor(at / 1600) % 3 === 0 ? 0 : 8000 * Math.sin(at / (2 + (Math.floor(at / 1600) % 5))),
      ),
    };
    for (const [what, sound] of Object.entries(sounds)) {
      assert.equal(await speech.understand(sound), undefined, what);
      assert.equal(await speech.recognise(sound, 16_000), undefined, what);
    }
    assert.equal(await speech.understand(new Int16Array(0)), undefined);
  });

  it('hears nothing in what its grammar has no words for', async () => {
    await using speech = await openRealSpeech();
    for (const text of ['tell me about the history of Rome', 'good morning, my friend']) {
      assert.equal(await speech.understand(await speech.question(text)), undefined, text);
      assert.equal(await speech.recognise(await speech.say(text), SAID_HZ), undefined, text);
    }
  });

  it('recognises answers of which it is told, and refuses one with a word that no dictionary has', async () => {
    await using speech = await openRealSpeech({ answers: ['It is sunny in Paris, N degrees.'] });
    const answer = 'It is sunny in Paris, 21 degrees.';
    assert.equal(await speech.recognise(await speech.say(answer), SAID_HZ), answer);
    await assert.rejects(openRealSpeech({ answers: ['This is xyzzyx.'] }), /xyzzyx/);
  });
});

describe('a question and an answer are understood in the room', { skip, concurrency: 4 }, () => {
  const rooms = KINDS.flatMap((each) => [
    { ...each, hardware: { rateHz: 16_000, channels: 1 } },
    { ...each, hardware: { rateHz: 48_000, channels: 2 } },
  ]);
  for (const { kind, hardware, skip: noCard } of rooms) {
    const what = `of a card of kind ${kind}, ${hardware.rateHz} Hz, ${hardware.channels} channels`;
    it(what, { skip: noCard }, () =>
      withCard({ kind, microphone: hardware, speaker: hardware }, async (card) => {
        await using speech = await openRealSpeech();
        await using recorder = record(card);
        await event(card, 'microphone', 'start');
        const { to } = card.speak(await speech.question(QUESTION));
        await using player = play(card);
        player.write(resample(await speech.say(ANSWER), SAID_HZ, 48_000));
        player.child.stdin?.end();
        assert.equal(await player.ended(), 0);
        const start = await event(card, 'speaker', 'start');
        assert.equal(await speech.recognise(card.played(start.at, now()), 48_000), ANSWER);
        await until('the question is over', () => now() > to + 100);
        assert.equal(await speech.understand(recorder.recorded), QUESTION);
      }),
    );
  }
});

/** 60 ms a packet, as a cloud sends it. */
async function throughOpus(sound: Int16Array): Promise<Int16Array> {
  const frameSize = (SAID_HZ * 60) / 1000;
  const shape = { sampleRate: SAID_HZ, channels: 1, frameSize } as const;
  const encoder = await createEncoder({ ...shape, application: Application.Voip, bitrate: 24_000 });
  const decoder = await createDecoder({ sampleRate: SAID_HZ, channels: 1 });
  try {
    const heard = new Int16Array(Math.ceil(sound.length / frameSize) * frameSize);
    for (let at = 0; at < sound.length; at += frameSize) {
      const frame = new Int16Array(frameSize);
      frame.set(sound.subarray(at, at + frameSize));
      heard.set(decoder.decode(encoder.encode(frame)), at);
    }
    return heard;
  } finally {
    encoder.free();
    decoder.free();
  }
}
