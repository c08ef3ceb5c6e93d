import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { findPlaces } from '../../../deploy/install/store/places.ts';
import { Store } from '../../../deploy/install/store/store.ts';

const IS_ROOT = process.getuid?.() === 0;
const GID = 4711;
const UNDONE = {
  version: '1.1.0',
  back: '1.0.0',
  check: 'call',
  reason: 'no answer',
  at: '2026-11-30T00:00:00.000Z',
  of: '',
  log: ['what only some may read'],
  acknowledged: false,
} as const;

class Place implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'aivoice-undone-'));
  readonly store = new Store(findPlaces(this.root));

  constructor(passwd: string) {
    const { places } = this.store;
    mkdirSync(places.factory, { recursive: true });
    mkdirSync(dirname(places.passwd), { recursive: true });
    writeFileSync(places.passwd, passwd);
    this.store.prepare();
  }

  access(): readonly [mode: string, gid: number] {
    const { mode, gid } = statSync(this.store.places.undone);
    return [(mode & 0o777).toString(8), gid];
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

describe('the log of an update that was undone', () => {
  test('is not for everybody, but for the appliance that tells of it', {
    skip: !IS_ROOT && 'needs root',
  }, () => {
    using place = new Place(`root:x:0:0::/:/bin/sh\naivoice:x:900:${GID}::/:/bin/false\n`);
    place.store.setUndone(UNDONE);
    assert.deepEqual(place.access(), ['640', GID]);
    // What an older release wrote for everybody is so no more once somebody has taken note of it.
    writeFileSync(place.store.places.undone, JSON.stringify(UNDONE), { mode: 0o644 });
    place.store.setUndone({ ...UNDONE, acknowledged: true });
    assert.deepEqual(place.access(), ['640', GID]);
  });

  test('is kept also where there is no such user', () => {
    using place = new Place('root:x:0:0::/:/bin/sh\n');
    place.store.setUndone(UNDONE);
    assert.equal(place.access()[0], '640');
    assert.deepEqual(place.store.undone(), UNDONE);
  });
});
