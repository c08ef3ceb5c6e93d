import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLog } from '../../../../device/kernel/log.ts';
import { type ReleasePlaces, releasePlaces } from '../../../../device/release/places.ts';
import { Releases } from '../../../../device/release/releases.ts';
import { FakeClock } from '../../fake-clock.ts';

/** A root folder in which an appliance is installed, as the installer leaves it. */
export class Installed implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'aivoice-root-'));
  readonly places: ReleasePlaces = releasePlaces(this.root);
  readonly clock = new FakeClock();
  readonly lines: string[] = [];
  changes = 0;

  constructor() {
    mkdirSync(this.places.store, { recursive: true });
  }

  /** Writes a file of the store as the installer does: whole, by a rename. */
  write(name: string, value: unknown): void {
    this.#put(join(this.places.store, name), typeof value === 'string' ? value : JSON.stringify(value));
  }

  writeImage(value: object): void {
    this.#put(this.places.image, JSON.stringify(value));
  }

  remove(name: string): void {
    rmSync(join(this.places.store, name), { recursive: true, force: true });
  }

  /** What an appliance in this root sees. */
  releases(bundle = join(this.places.store, 'releases', '1.2.3', 'dist')): Releases {
    return new Releases({
      ...{ places: this.places, bundle, version: '1.2.3', clock: this.clock },
      log: createLog({ sink: (line) => this.lines.push(line), wall: () => this.clock.wall() }),
      onChange: () => {
        this.changes++;
      },
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #put(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.fresh`, text);
    renameSync(`${path}.fresh`, path);
  }
}

/** As the installer writes down an update that it has taken back. */
export const UNDONE = {
  schema: 1,
  version: '1.3.0',
  back: '1.2.3',
  check: 'call',
  reason: 'calculate answered nothing within 5 s',
  at: '2026-11-29T23:00:00.000Z',
  log: ['{"event":"one"}', '{"event":"two"}'],
  acknowledged: false,
};
