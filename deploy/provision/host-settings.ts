import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readObject } from '#kernel/json-file.ts';
import type { Wish } from './file/wish.ts';
import { keepChanged, readText } from './kept-file.ts';

/** What the operating system has to be told at each boot, since its root is in RAM. Absent: never asked for. */
export interface Host {
  /** As its owner calls it, in any script. */
  readonly name?: string;
  readonly timeZone?: string;
  readonly ntp?: readonly string[];
  readonly country?: string;
  readonly language?: string;
}

/** HostSettings: `host.json` of the folder of the host. */
export class HostSettings {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, 'host.json');
  }

  /** False until a first wish was granted. */
  get isThere(): boolean {
    return readText(this.#path) !== undefined;
  }

  read(): Host {
    const { name, timeZone, ntp, country, language } = readObject(this.#path) ?? {};
    const list = Array.isArray(ntp) ? ntp.filter((one) => typeof one === 'string') : [];
    const texts = Object.entries({ name, timeZone, country, language });
    return {
      ...Object.fromEntries(texts.filter(([, value]) => typeof value === 'string' && value !== '')),
      ...(list.length > 0 ? { ntp: list } : {}),
    };
  }

  /** What a wish names is new, the rest stays. */
  grant({ name, timeZone, ntp, language, wifi }: Wish): void {
    const country = wifi?.country;
    const named = Object.entries({ name, timeZone, ntp, language, country });
    this.#write({ ...this.read(), ...Object.fromEntries(named.filter(([, value]) => value !== undefined)) });
  }

  /** The name belongs to the board that had it. */
  forgetName(): void {
    const { name, ...rest } = this.read();
    if (name !== undefined) this.#write(rest);
  }

  #write({ name, timeZone, ntp, country, language }: Host): void {
    // Always in one order, so that what stays the same is not written again.
    const text = JSON.stringify({ schema: 1, name, timeZone, ntp, country, language });
    keepChanged(this.#path, `${text}\n`, { mode: 0o644 });
  }
}

/** RFC 1123: letters, digits, and hyphens inside, 63 at most. */
const HOST_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The name on the network: the owner's where it can be one, else `aivoice-` and six digits that are this device's. */
export function hostnameOf(name: string | undefined, machineId: string): string {
  const plain = (name ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  if (HOST_NAME.test(plain) && plain !== 'localhost') return plain;
  // A hash: the machine id itself is not for the network (machine-id(5)).
  return `aivoice-${createHash('sha256').update(`aivoice host ${machineId}`).digest('hex').slice(0, 6)}`;
}
