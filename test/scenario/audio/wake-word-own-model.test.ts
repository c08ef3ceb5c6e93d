import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openWakeWord } from '../../../device/audio/speech/wake-word.ts';
import { noise, play, wakeModels } from './speech-detection-sound.ts';
import { writeWakeWordModel } from './wake-word-model.ts';

const { skip } = wakeModels;

/** A folder of own models. */
function ownFolder() {
  const path = mkdtempSync(join(tmpdir(), 'wake-'));
  return {
    path,
    open: (word: string) => openWakeWord({ word, folder: path, models: wakeModels.path, threshold: 0.5 }),
    file: (word: string) => join(path, `${word}.onnx`),
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  };
}

test('a model in the folder of the owner is an own model, also under a ready-made name', {
  skip,
}, async () => {
  using folder = ownFolder();
  for (const word of ['computer', 'hey_jarvis']) {
    writeWakeWordModel(folder.file(word), { factor: 1, sigmoid: true });
    await using engine = await folder.open(word);
    assert.deepEqual(engine.model, {
      engine: 'openWakeWord',
      word,
      file: folder.file(word),
      licence: 'own model',
    });
    const woke: string[] = [];
    engine.watch((name) => woke.push(name));
    await play(noise(500, 8000), [engine.hear]);
    assert.deepEqual(woke, [word], 'it wakes on anything, and rests afterwards');
  }
});

test('a ready-made model says what its licence forbids', { skip }, async () => {
  using folder = ownFolder();
  await using engine = await folder.open('hey_rhasspy');
  assert.equal(engine.model.licence, 'CC BY-NC-SA 4.0, non-commercial');
});

test('every ready-made model passes its own trial', { skip }, async () => {
  using folder = ownFolder();
  for (const word of ['hey_jarvis', 'alexa', 'hey_mycroft', 'hey_rhasspy']) {
    await using engine = await folder.open(word);
    assert.equal(engine.model.word, word);
  }
});

const BROKEN = {
  'scores NaN': { factor: Number.NaN, says: /expected a score of 0 to 1, got NaN/ },
  'always scores 0': { factor: 0, says: /expected scores that differ, got always 0/ },
  'scores beyond 1': { factor: 100, says: /expected a score of 0 to 1, got \d+/ },
  'wants other embeddings': {
    factor: 1,
    width: 40,
    says: /expected an input of \[\*, 16, 96\], got \[1, 16, 40\]/,
  },
};

for (const [what, { says, ...model }] of Object.entries(BROKEN)) {
  test(`a model that ${what} is refused by name (linux-voice-assistant 16 and 51)`, { skip }, async () => {
    using folder = ownFolder();
    writeWakeWordModel(folder.file('broken'), model);
    await assert.rejects(folder.open('broken'), (error: Error & { code: string }) => {
      assert.equal(error.code, 'AUDIO_MODEL');
      assert.match(error.message, /^broken\.onnx: /);
      assert.match(error.message, says);
      return true;
    });
  });
}

test('a file that is no model, and a word that is nowhere, are told', { skip }, async () => {
  using folder = ownFolder();
  writeFileSync(folder.file('text'), 'not a model');
  await assert.rejects(folder.open('text'), {
    code: 'AUDIO_MODEL',
    message: /expected a model in ONNX format/,
  });
  await assert.rejects(folder.open('computer'), {
    code: 'AUDIO_MODEL',
    message: /there is no computer\.onnx in .*ready-made are hey_jarvis/,
  });
});
