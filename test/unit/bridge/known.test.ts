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
