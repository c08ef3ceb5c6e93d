import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { KnownTools } from '../../../bridge/known.ts';
import { KnownFolder } from '../../../bridge/known-folder.ts';
import { tool } from './scene.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aivoice-known-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what was written is known after a restart, and only to the same settings', () => {
  const tools = [tool('天気'), { ...tool('b'), annotations: { title: 'B' } }];
  const state = join(folder, 'state', 'tools');
  const known = new KnownTools(state, 'abc');
  assert.equal(known.read(), undefined);
  assert.equal(known.write(tools), '');
  assert.deepEqual(new KnownTools(state, 'abc').read(), tools);
  assert.equal(new KnownTools(state, 'def').read(), undefined);
  assert.equal(statSync(state).mode & 0o777, 0o700);
  assert.equal(statSync(join(state, 'abc.json')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(state), ['abc.json']);
});

test('the card is written only when the list has changed', () => {
  const file = join(folder, 'abc.json');
  const first = new KnownTools(folder, 'abc');
  first.write([tool('a')]);
  utimesSync(file, 0, 0);
  first.write([tool('a')]);
  const second = new KnownTools(folder, 'abc');
  second.read();
  second.write([tool('a')]);
  assert.equal(statSync(file).mtimeMs, 0);
  second.write([tool('b')]);
  assert.deepEqual(new KnownTools(folder, 'abc').read(), [tool('b')]);
});

test('a file that is torn, foreign or odd is as good as none, and is replaced', () => {
  const file = join(folder, 'abc.json');
  new KnownTools(folder, 'abc').write([tool('a')]);
  const whole = readFileSync(file, 'utf8');
  const odd = ['', '{', 'null', '[]', '"x"', '{"key":"abc"}', '{"key":"abc","tools":[{}]}'];
  const torn = [1, 10, whole.length - 1].map((length) => whole.slice(0, length));
  for (const text of [...odd, ...torn, whole.replace('abc', 'def'), '\0'.repeat(100)]) {
    writeFileSync(file, text);
    const known = new KnownTools(folder, 'abc');
    assert.equal(known.read(), undefined, text);
    assert.equal(known.write([tool('a')]), '');
    assert.equal(readFileSync(file, 'utf8'), whole);
  }
});

test('a folder that cannot be written costs nothing but the reason', () => {
  writeFileSync(join(folder, 'file'), '');
  assert.match(new KnownTools(join(folder, 'file'), 'abc').write([]), /^(EEXIST|ENOTDIR)$/);
  mkdirSync(join(folder, 'abc.json'));
  const known = new KnownTools(folder, 'abc');
  assert.equal(known.read(), undefined);
  assert.match(known.write([]), /^E[A-Z]+$/);
});

/** Lists of other settings, each a day older than the one before. */
function leave(count: number, now: number): void {
  for (let day = 0; day < count; day++) {
    const file = join(folder, `old${day}.json`);
    writeFileSync(file, '{}');
    utimesSync(file, now / 1000 - day * 86_400, now / 1000 - day * 86_400);
  }
}

test('of many lists the oldest go, but none that is in use, however old', () => {
  const now = Date.UTC(2026, 10, 30);
  leave(100, now);
  const lists = new KnownFolder(folder, () => now);
  lists.of('old99').read();
  assert.equal(lists.of('abc').write([tool('a')]), '');
  const left = readdirSync(folder);
  assert.deepEqual([left.length, left.includes('old99.json'), left.includes('abc.json')], [65, true, true]);
  assert.equal(left.includes('old62.json'), true);
});

test('lists of the last month all stay', () => {
  const now = Date.UTC(2026, 10, 30);
  for (let index = 0; index < 100; index++) writeFileSync(join(folder, `fresh${index}.json`), '{}');
  const lists = new KnownFolder(folder, () => now);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), now / 1000, now / 1000);
  lists.of('abc').write([tool('a')]);
  assert.equal(readdirSync(folder).length, 101);
});

test('a list that was written is written, also where the old ones cannot be swept', () => {
  const now = Date.UTC(2026, 10, 30);
  leave(70, now);
  mkdirSync(join(folder, 'stuck.json'));
  utimesSync(join(folder, 'stuck.json'), 0, 0);
  const known = new KnownFolder(folder, () => now).of('abc');
  assert.equal(known.write([tool('a')]), '');
  assert.deepEqual(known.read(), [tool('a')]);
});
