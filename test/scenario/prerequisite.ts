import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const TOOLS = join(import.meta.dirname, '..', 'tools', 'node_modules');

/** Something that a test needs and a fresh machine may lack. */
export interface Prerequisite {
  readonly path: string;
  /** For node:test: why the test cannot run here, or false. */
  readonly skip: string | false;
}

/** A program of `test/tools`, which only continuous integration installs. */
export function testTool(file: string): Prerequisite {
  const path = join(TOOLS, file);
  return { path, skip: existsSync(path) ? false : 'needs `npm ci --prefix test/tools`' };
}

/** A command of the machine. */
export function command(name: string): Prerequisite {
  const places = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  const path = places.find(isExecutable);
  return path === undefined ? { path: name, skip: `${name} is not installed` } : { path, skip: false };
}

/** What a sound card of ALSA is built from; `path` is ALSA's own configuration. */
export function alsaCard(): Prerequisite {
  const path = '/usr/share/alsa/alsa.conf';
  const files = [path, '/usr/include/alsa/asoundlib.h'];
  return packages('gcc, libasound2-dev and alsa-utils', path, ['gcc', 'arecord', 'aplay'], files);
}

/** The voice and the ear of the bench; `path` is the folder of the ear's English model. */
export function realSpeech(): Prerequisite {
  const path = '/usr/share/pocketsphinx/model/en-us';
  return packages(
    'flite, pocketsphinx and pocketsphinx-en-us',
    path,
    ['flite', 'pocketsphinx_batch'],
    [path],
  );
}

/** For a test that proves a promise: where CI is true, what it lacks is a fault of that machine and no reason to skip. */
export function forProof(prerequisite: Prerequisite): Prerequisite {
  const { skip } = prerequisite;
  if (process.env.CI === 'true' && skip !== false) throw new Error(`a promise stays unproved: ${skip}`);
  return prerequisite;
}

function packages(
  names: string,
  path: string,
  commands: readonly string[],
  files: readonly string[],
): Prerequisite {
  const lacking = [
    ...commands.filter((name) => command(name).skip !== false),
    ...files.filter((file) => !existsSync(file)),
  ];
  return { path, skip: lacking.length === 0 ? false : `needs ${names}: no ${lacking.join(', no ')}` };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
