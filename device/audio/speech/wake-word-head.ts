import { type OnnxSession, openOnnx, unfit } from './onnx-session.ts';
import { expectPort } from './onnx-shape.ts';
import { EMBEDDING } from './wake-word-features.ts';

/** Embeddings (80 ms each) that a word may span; the ready-made words use 16. */
const MAX_FRAMES = 64;
const USUAL_FRAMES = 16;
/** What a head is shown at its trial, beside nothing at all: about the size that embeddings have. */
const TRIALS = [1, 10, 30];

/** WakeWordHead: how sure one word's model is. */
export interface WakeWordHead extends AsyncDisposable {
  /** Embeddings that it wants to see. */
  readonly frames: number;
  /** 0 to 1, of `frames` embeddings. Rejects with AUDIO_MODEL where the model fails or gives no number. */
  score(embeddings: Float32Array): Promise<number>;
}

/**
 * Loads a word's model and tries it. Rejects with AUDIO_MODEL: for a model of another kind, and for one that scores NaN
 * or the same whatever it is shown, which otherwise would be an appliance that never wakes and never says why.
 */
export async function openWakeWordHead(file: string): Promise<WakeWordHead> {
  const session = await openOnnx(file);
  try {
    return await tried(session, file);
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

async function tried(session: OnnxSession, file: string): Promise<WakeWordHead> {
  const seen = session.inputs[0]?.shape[1];
  const frames = typeof seen === 'number' && seen > 0 && seen <= MAX_FRAMES ? seen : USUAL_FRAMES;
  const input = expectPort(file, 'an input', session.inputs[0], [null, frames, EMBEDDING]);
  expectPort(file, 'one score as output', session.outputs[0], [null, 1]);
  const embeddings = new Float32Array(frames * EMBEDDING);
  const feeds = { [input.name]: session.tensor(embeddings, [1, frames, EMBEDDING]) };
  const head: WakeWordHead = {
    frames,
    async score(latest) {
      embeddings.set(latest);
      const [output] = await session.run(feeds);
      const score = output?.data[0] ?? Number.NaN;
      if (!(score >= 0 && score <= 1)) throw unfit(file, 'a score of 0 to 1', `${score}`);
      return score;
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
  const scores = new Set([await head.score(new Float32Array(embeddings.length))]);
  for (const size of TRIALS) scores.add(await head.score(noise(embeddings.length, size)));
  if (scores.size === 1) throw unfit(file, 'scores that differ', `always ${[...scores][0]}`);
  return head;
}

/** Even noise from -size to size, the same at each start (the multiplier and increment of C's own generator). */
function noise(length: number, size: number): Float32Array {
  let seed = 1;
  return Float32Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return size * ((2 * seed) / 0x7fffffff - 1);
  });
}
