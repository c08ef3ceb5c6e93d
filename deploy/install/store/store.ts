import { existsSync, lstatSync, readFileSync, readlinkSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Fault } from '#kernel/fault.ts';
import { readObject } from '#kernel/json-file.ts';
import { type Manifest, readManifest } from '../package/manifest.ts';
import { isFull, linkDurably, markDurably, removeDurably, writeDurably } from './durable.ts';
import type { Places } from './places.ts';
import { readUndone, readUpdate, type Undone, type Update } from './record.ts';
import { serviceUser } from './service-user.ts';
import { straighten } from './straighten.ts';

/** A release that is in place: one of the store, or the factory's. */
export interface Placed {
  readonly version: string;
  readonly from: 'release' | 'factory';
  readonly folder: string;
  /** What a link to it holds. */
  readonly link: string;
  readonly manifest: Manifest;
}

export const LINKS = ['current', 'good', 'previous'] as const;
export type LinkName = (typeof LINKS)[number];

/** The store: which releases are there, which one runs, and what is known of the last update. */
export class Store {
  readonly places: Places;

  constructor(places: Places) {
    this.places = places;
  }

  /** Makes what is missing of it, and room for what belongs there. Throws NOT_INSTALLED where there is no appliance. */
  prepare(): void {
    const { places } = this;
    if (!existsSync(places.store) && !existsSync(places.factory))
      throw new Fault('NOT_INSTALLED', `neither ${places.store} nor ${places.factory} is there`);
    straighten(places);
  }

  /** Bytes that can still be written. */
  free(): number {
    const { bavail, bsize } = statfsSync(this.places.store);
    return bavail * bsize;
  }

  /** What a link leads to; `undefined` where it is missing or what it leads to is not whole. */
  read(name: LinkName): Placed | undefined {
    try {
      return this.at(readlinkSync(this.places[name]));
    } catch {
      return undefined;
    }
  }

  /** What a link holds, whether or not anything is there. */
  target(name: LinkName): string | undefined {
    try {
      return readlinkSync(this.places[name]);
    } catch {
      return undefined;
    }
  }

  /** The release that a link's text names, if it is whole: its manifest is there and every file has its size. */
  at(link: string): Placed | undefined {
    const { factory, store } = this.places;
    if (link === factory) return placed(factory, 'factory', factory);
    const version = basename(link);
    if (link !== join('releases', version)) return undefined;
    return placed(join(store, link), 'release', link);
  }

  factory(): Placed | undefined {
    return this.at(this.places.factory);
  }

  release(version: string): Placed | undefined {
    return this.at(join('releases', version));
  }

  point(name: LinkName, { link }: Placed): void {
    linkDurably(this.places[name], link);
  }

  forget(name: LinkName): void {
    removeDurably(this.places[name]);
  }

  update(): Update | undefined {
    return readUpdate(readObject(this.places.update));
  }

  setUpdate(update: Update | undefined): void {
    if (update) writeDurably(this.places.update, `${JSON.stringify({ schema: 1, ...update })}\n`);
    else removeDurably(this.places.update);
  }

  undone(): Undone | undefined {
    return readUndone(readObject(this.places.undone));
  }

  /** It holds lines of the journal, which not everybody may read: only root, and the appliance, which tells of it. */
  setUndone(undone: Undone): void {
    const { undone: path, passwd } = this.places;
    const group = process.getuid?.() === 0 ? serviceUser(passwd)?.gid : undefined;
    writeDurably(path, `${JSON.stringify({ schema: 1, ...undone })}\n`, { mode: 0o640, group });
  }

  /** True where the appliance was never ready since the last boot began: what runs at its readiness takes the mark away. */
  isStarting(): boolean {
    return existsSync(this.places.starting);
  }

  setStarting(): void {
    try {
      markDurably(this.places.starting);
    } catch (error) {
      if (!isFull(error)) throw error; // without it the next boot has less to go by, and this one goes on
    }
  }

  /** What is known against a release, if it is the very build that was undone. */
  isBad({ version, sha256 }: Pick<Manifest, 'version' | 'sha256'>): boolean {
    return readObject(join(this.places.bad, version))?.manifest === sha256;
  }

  setBad({ manifest }: Placed, reason: string, at: string): void {
    const line = JSON.stringify({ schema: 1, manifest: manifest.sha256, reason, at });
    writeDurably(join(this.places.bad, manifest.version), `${line}\n`);
  }

  clearBad(version: string): void {
    removeDurably(join(this.places.bad, version));
  }

  /** Removes a release that no link needs. */
  remove(version: string): void {
    rmSync(join(this.places.releases, version), { recursive: true, force: true });
  }
}

function placed(folder: string, from: Placed['from'], link: string): Placed | undefined {
  try {
    const manifest = readManifest(readFileSync(join(folder, 'manifest.json')));
    if (from === 'release' && manifest.version !== basename(folder)) return undefined;
    const isWhole = manifest.files.every(({ path, size }) => {
      const found = lstatSync(join(folder, path), { throwIfNoEntry: false });
      return found?.isFile() === true && found.size === size;
    });
    return isWhole && statSync(folder).isDirectory()
      ? { version: manifest.version, from, folder, link, manifest }
      : undefined;
  } catch {
    return undefined;
  }
}
