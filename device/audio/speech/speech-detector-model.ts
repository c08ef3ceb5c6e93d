import type { Tensor } from 'onnxruntime-node';
import { HEARD_HZ } from '../microphone/microphone.ts';
import { type OnnxSession, openOnnx, unfit } from './onnx-session.ts';
import { expectNumbers, expectPort } from './onnx-shape.ts';

/** Samples that the model judges at a time: 32 ms. */
export const SPEECH_WINDOW = 512;
/** Samples of the window before, in front of it: the model was trained with them (audio notes 4). */
const CONTEXT = 64;
const STATE = [2, 1, 128] as const;
const STATE_LENGTH = 256;

/** SpeechModel: how likely each window is speech, given all windows before it. */
export interface SpeechModel extends AsyncDisposable {
  /** 0 to 1. One at a time. Rejects with AUDIO_MODEL where the model fails or gives no number. */
  judge(window: Int16Array): Promise<number>;
  /** Forgets what was heard; also what a `judge` under way still hears. */
  reset(): void;
}

/** Loads Silero v5 and tries it. Rejects with AUDIO_MODEL, which says what does not fit. */
export async function openSpeechModel(file: string): Promise<SpeechModel> {
  const session = await openOnnx(file);
  try {
    return await tried(session, file);
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

async function tried(session: OnnxSession, file: string): Promise<SpeechModel> {
  const port = (name: string) => session.inputs.find((input) => input.name === name);
  expectPort(file, 'the input "input" of Silero v5', port('input'), [null, null]);
  expectPort(file, 'the input "state" of Silero v5', port('state'), [2, null, 128]);
  expectPort(file, 'the output of Silero v5', session.outputs[0], [null, 1]);
  const model = new Silero(session);
  await model.judge(new Int16Array(SPEECH_WINDOW));
  model.reset();
  return model;
}

class Silero implements SpeechModel {
  readonly #session: OnnxSession;
  readonly #input = new Float32Array(CONTEXT + SPEECH_WINDOW);
  readonly #feeds: Record<string, Tensor>;
  #state: Float32Array = new Float32Array(STATE_LENGTH);

  constructor(session: OnnxSession) {
    this.#session = session;
    this.#feeds = { input: session.tensor(this.#input, [1, CONTEXT + SPEECH_WINDOW]) };
    // A variant for this rate alone has no such input.
    if (session.inputs.some(({ name }) => name === 'sr')) {
      this.#feeds.sr = session.tensor(BigInt64Array.of(BigInt(HEARD_HZ)), []);
    }
  }

  async judge(window: Int16Array): Promise<number> {
    const before = this.#state;
    this.#input.copyWithin(0, SPEECH_WINDOW);
    for (const [index, sample] of window.entries()) this.#input[CONTEXT + index] = sample / 32_768;
    const { file } = this.#session;
    const [output, state] = await this.#session.run({
      ...this.#feeds,
      state: this.#session.tensor(before, STATE),
    });
    const probability = output?.data[0] ?? Number.NaN;
    if (!(probability >= 0 && probability <= 1)) throw unfit(file, 'a probability', `${probability}`);
    const after = expectNumbers(file, 'the state', state?.data ?? new Float32Array(), STATE_LENGTH);
    if (this.#state === before) this.#state = after; // or it was reset meanwhile
    return probability;
  }

  reset(): void {
    this.#state = new Float32Array(STATE_LENGTH);
    this.#input.fill(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session[Symbol.asyncDispose]();
  }
}
