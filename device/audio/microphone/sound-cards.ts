import { execFile } from 'node:child_process';
import { type Environment, findArecord } from './recorder-program.ts';

/** A capture device as `arecord -l` lists it. Names are what the maker wrote, blanks and Japanese letters included. */
export interface SoundCard {
  readonly card: number;
  /** What stands in ALSA names: `plughw:CARD=Device,DEV=0`. */
  readonly id: string;
  readonly name: string;
  readonly device: number;
  readonly deviceName: string;
}

const LIST_MS = 3000;
const LINE = /^card (\d+): (\S+) \[(.*)\], device (\d+): .* \[(.*)\]$/;

/** The capture devices of this machine, for status and doctor. Rejects with AUDIO_TOOLS; empty where nothing is found. */
export async function listCards(env: Environment): Promise<readonly SoundCard[]> {
  const command = findArecord(env);
  const options = { env: { ...env, LC_ALL: 'C' }, timeout: LIST_MS, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve) => {
    // Without a card it exits 1 and says so on stderr: that is no card, and no fault.
    execFile(command, ['-l'], options, (_error, stdout) => resolve(parseCards(stdout)));
  });
}

/** Reads what `arecord -l` wrote. */
export function parseCards(text: string): readonly SoundCard[] {
  return text.split('\n').flatMap((line) => {
    const [, card, id, name, device, deviceName] = LINE.exec(line) ?? [];
    if (id === undefined || name === undefined || deviceName === undefined) return [];
    return [{ card: Number(card), id, name, device: Number(device), deviceName }];
  });
}

/** The ALSA name of a device with the name that its maker gave it, where the one tells the other: `hw:1 (USB マイク)`. */
export function cardTitle(device: string, cards: readonly SoundCard[]): string {
  const [, card] = /^\w+:(?:CARD=)?([^,]+)/.exec(device) ?? [];
  const found = cards.find(({ card: number, id }) => card === id || card === `${number}`);
  return found ? `${device} (${found.name})` : device;
}
