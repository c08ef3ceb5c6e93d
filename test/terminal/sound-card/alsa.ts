import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { alsaCard } from '../../scenario/prerequisite.ts';
import type { SoundSide } from '../sound-card.ts';
import type { Room } from './room.ts';

const run = promisify(execFile);

const SOURCES = join(import.meta.dirname, 'plugin');
/** Beside the checkout's other build products; a file is named by what it was made of, so it is never stale. */
const BUILT = join(import.meta.dirname, '..', '..', '..', 'build', 'sound-card');
const FLAGS = ['-std=gnu11', '-O2', '-Wall', '-Wextra', '-Werror', '-pthread', '-shared', '-fPIC', '-DPIC'];
const BUILD_MS = 60_000;

/** The path of the plugin, compiled where that was not done before. */
export async function buildPlugin(): Promise<string> {
  const sources = readdirSync(SOURCES).sort();
  const hash = createHash('sha256').update(`${process.arch} ${FLAGS.join(' ')}`);
  for (const source of sources) hash.update(readFileSync(join(SOURCES, source)));
  const plugin = join(BUILT, `libasound_module_pcm_bench_card-${hash.digest('hex').slice(0, 16)}.so`);
  if (existsSync(plugin)) return plugin;
  mkdirSync(BUILT, { recursive: true });
  // Others may build it at the same time: each makes a file of its own, and the last rename changes nothing.
  const fresh = `${plugin}.${randomUUID()}`;
  const files = sources.filter((name) => name.endsWith('.c')).map((name) => join(SOURCES, name));
  try {
    await run('gcc', [...FLAGS, '-o', fresh, ...files, '-lasound'], { timeout: BUILD_MS });
    renameSync(fresh, plugin);
  } finally {
    rmSync(fresh, { force: true });
  }
  return plugin;
}

/** Writes the card's ALSA settings into the room; returns the environment that makes programs read them. */
export function installAlsa(room: Room, plugin: string): Readonly<Record<string, string>> {
  const file = join(room.folder, 'asound.conf');
  writeFileSync(
    file,
    [
      `pcm_type.bench_card { lib "${plugin}" }`,
      device(room, 'microphone'),
      device(room, 'speaker'),
      'pcm.!default { type asym  capture.pcm "bench_microphone"  playback.pcm "bench_speaker" }',
      '',
    ].join('\n'),
  );
  return { ALSA_CONFIG_PATH: `${alsaCard().path}:${file}` };
}

function device(room: Room, side: SoundSide): string {
  const { rateHz, channels } = room.hardware[side];
  const card = `folder "${room.folder}"  epoch "${room.epoch}"  rate ${rateHz}  channels ${channels}`;
  return [
    `pcm.bench_${side}_hw { type bench_card  ${card} }`,
    `pcm.bench_${side} { type plug  slave.pcm "bench_${side}_hw" }`,
  ].join('\n');
}
