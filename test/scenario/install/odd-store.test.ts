import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildRelease } from '../../release/builder.ts';
import { Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';

interface Case {
  readonly what: string;
  readonly names: readonly string[];
  readonly put: (path: string) => void;
}

const CASES: readonly Case[] = [
  {
    what: 'a folder',
    names: [
      ...['current', 'good', 'previous', 'update.json', 'undone.json', 'starting'],
      ...['lock', 'lock.arrival', 'held.store', 'held.arrival', 'bad/1.1.0'],
    ],
    put: (path) => mkdirSync(join(path, 'in'), { recursive: true }),
  },
  {
    what: 'a file',
    names: ['current', 'good', 'previous', 'staging', 'incoming', 'bad'],
    put: (path) => writeFileSync(path, 'what was here'),
  },
  {
    what: 'a link to nowhere',
    names: [
      'staging',
      'incoming',
      'update.json',
      'lock',
      'lock.arrival',
      'held.store',
      'held.arrival',
      'bad',
    ],
    put: (path) => symlinkSync('/nowhere', path),
  },
];

describe('a store in which a mended file system left something else', () => {
  let key: SigningKey;
  before(() => {
    key = new SigningKey();
  });
  after(() => key[Symbol.dispose]());

  for (const { what, names, put } of CASES)
    test(`${what} in place of ${names.join(', ')} stops neither a boot nor an update`, async () => {
      await using host = new Host({ key });
      await host.boot();
      await host.cutPower();
      for (const name of names) {
        rmSync(join(host.store, name), { recursive: true, force: true });
        put(join(host.store, name));
      }
      assert.equal((await host.boot()).code, 0);
      assert.equal(await host.serving(), '1.0.0');
      const release = host.file(await buildRelease({ version: '1.1.0', key }));
      const { code, stderr } = await host.install('apply', release);
      assert.equal(code, 0, stderr);
      assert.equal(await host.serving(), '1.1.0');
    });
});
