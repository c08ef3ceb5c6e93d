import { join } from 'node:path';
import { openOnnx } from './onnx-session.ts';
import { WakeWordFeatures } from './wake-word-features.ts';
import { openWakeWordHead } from './wake-word-head.ts';

/** WakeWordScorer: how sure the word is at each step, given the steps before it. */
export interface WakeWordScorer extends AsyncDisposable {
  /** The next step of WAKE_STEP samples; 0 to 1. One at a time. Rejects with AUDIO_MODEL. */
  score(step: Int16Array): Promise<number>;
  /** As if there had been silence so far. Not while a `score` is under way. */
  reset(): void;
}

/**
 * Loads the model of a word (`head`) and the two that every word stands on (in `folder`), and tries them. Rejects with
 * AUDIO_MODEL, which names the model and what was expected of it.
 */
export async function openWakeWordScorer(head: string, folder: string): Promise<WakeWordScorer> {
  const opened: AsyncDisposable[] = [];
  const keep = <T extends AsyncDisposable>(part: T): T => {
    opened.push(part);
    return part;
  };
  const close = async () => {
    for (const part of opened) await part[Symbol.asyncDispose]();
  };
  try {
    const word = keep(await openWakeWordHead(head));
    const spectrum = keep(await openOnnx(join(folder, 'melspectrogram.onnx')));
    const embedding = keep(await openOnnx(join(folder, 'embedding_model.onnx')));
    const features = await WakeWordFeatures.of({ spectrum, embedding }, word.frames);
    return {
      async score(step) {
        await features.push(step);
        return word.score(features.latest);
      },
      reset: () => features.reset(),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
