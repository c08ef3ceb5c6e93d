import { accessSync, constants, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Code } from '#kernel/codes.ts';

/** What ALSA's programs say (with LC_ALL=C), by what it means for the owner. The first that fits counts. */
const MEANINGS: readonly (readonly [Code, RegExp])[] = [
  ['AUDIO_BUSY', /Device or resource busy/],
  ['AUDIO_DENIED', /Permission denied|Operation not permitted/],
  [
    'AUDIO_MISSING',
    /No such (file|device)|Unknown PCM|Cannot get card index|cannot find card|Connection refused|Host is down/,
  ],
  [
    'AUDIO_FORMAT',
    /non available|rate is not accurate|Unable to install hw params|Broken configuration for this PCM/,
  ],
];

/** Lines that tell no reason: ALSA's own talk, and what a recording begins with. */
const TALK = /^(ALSA lib|Recording |Playing |Warning:|HW Params|-+$|[A-Z_]+: )|^\s|^$/;
const MAX_REASON = 200;

/** The code for what a recorder or a player wrote on stderr; `undefined` where it names no cause that we know. */
export function cardCode(stderr: string): Code | undefined {
  return MEANINGS.find(([, pattern]) => pattern.test(stderr))?.[0];
}

/** The one line of stderr that says why, without the program's own name; `''` where it says nothing. */
export function cardReason(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => !TALK.test(line));
  const line = lines.findLast((text) => /^(arecord|aplay):/.test(text)) ?? lines.at(-1) ?? '';
  return line
    .replace(/^(arecord|aplay): (\w+:\d+: )?/, '')
    .trim()
    .slice(0, MAX_REASON);
}

/**
 * Cards are there, and none of them may be used by us. ALSA then says that there is no card at all: a user outside of
 * the group audio would look for a cable.
 */
export function areCardsDenied(folder = '/dev/snd'): boolean {
  const controls = namesIn(folder).filter((name) => name.startsWith('controlC'));
  return controls.length > 0 && !controls.some((name) => isUsable(join(folder, name)));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no sound at all on this machine
  }
}

function isUsable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
