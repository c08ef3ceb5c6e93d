import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Card } from './card.ts';

export const PAGE = 4096;
export const FILLER = 'filler';

/** A folder of the card on a file system of its own that has no room. */
export class FullFolder implements Disposable {
  readonly #path: string;

  constructor(card: Card, folder: string) {
    this.#path = join(card.root, folder);
    mkdirSync(this.#path, { recursive: true });
    assert.equal(mount('-t', 'tmpfs', '-o', `size=${4 * PAGE}`, 'tmpfs', this.#path), 0);
    writeFileSync(join(this.#path, FILLER), Buffer.alloc(4 * PAGE));
  }

  empty(): void {
    rmSync(join(this.#path, FILLER));
  }

  [Symbol.dispose](): void {
    spawnSync('umount', ['-l', this.#path]);
  }
}

function mount(...args: readonly string[]): number | null {
  return spawnSync('mount', args, { timeout: 10_000 }).status;
}

/** Where a namespace of mounts may be made, mounts may be as well. */
function canMount(): boolean {
  return process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true'], { timeout: 10_000 }).status === 0;
}

export const skip = canMount() ? false : 'needs root that may mount a tmpfs';
