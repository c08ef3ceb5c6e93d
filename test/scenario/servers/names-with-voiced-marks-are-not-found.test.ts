import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { programOf, ServerProcess } from './server-process.ts';

const FOLDER = '01_ナレッジ';
const MEMO = 'メモ.txt';

function sharedFolder(name = 'root'): Disposable & { root: string } {
  const parent = mkdtempSync(join(tmpdir(), 'aivoice-names-'));
  const root = join(parent, name);
  mkdirSync(root);
  return { root, [Symbol.dispose]: () => rmSync(parent, { recursive: true, force: true }) };
}

function serverOn(root: string, env: Record<string, string> = {}): ServerProcess {
  return new ServerProcess(programOf('files'), { MCP_FILE_ROOT: root, ...env });
}

suite('names with voiced marks are not found (B15)', () => {
  for (const [stored, asked] of [
    ['NFD', 'NFC'],
    ['NFC', 'NFD'],
  ] as const) {
    test(`stored in ${stored}, asked for in ${asked}: listed, read and found, and named as stored`, async () => {
      using shared = sharedFolder();
      const folder = FOLDER.normalize(stored);
      mkdirSync(join(shared.root, folder));
      writeFileSync(join(shared.root, folder, MEMO.normalize(stored)), 'memo');
      await using server = serverOn(shared.root);
      const path = `${FOLDER}/${MEMO}`.normalize(asked);
      assert.equal((await server.call('list_dir', { path: FOLDER.normalize(asked) })).facts.path, folder);
      const { facts } = await server.call('read_file', { path });
      assert.deepEqual([facts.path, facts.content], [`${folder}/${MEMO}`.normalize(stored), 'memo']);
      const found = await server.call('search_filename', { pattern: MEMO.normalize(asked) });
      assert.deepEqual(found.facts.matches, [{ path: `${folder}/${MEMO}`.normalize(stored), type: 'file' }]);
      assert.deepEqual(readdirSync(shared.root), [folder]);
    });
  }

  test('a root that is set in NFC and stored in NFD works', async () => {
    using shared = sharedFolder('ナレッジ'.normalize('NFC'));
    const stored = shared.root.normalize('NFD');
    renameSync(shared.root, stored);
    writeFileSync(join(stored, 'a.txt'), 'x');
    await using server = serverOn(shared.root.normalize('NFC'));
    assert.equal((await server.call('list_dir')).facts.total, 1);
  });

  test('names of every kind are reached, look-alikes apart from each other', async () => {
    using shared = sharedFolder();
    const names = ['パスポート.txt', 'ガイド.txt', 'が　ぎ.md', '①.txt', '～.txt', '〜.txt', 'é.txt'];
    for (const name of names) writeFileSync(join(shared.root, name), `this is ${name}`);
    await using server = serverOn(shared.root);
    for (const name of names) {
      for (const form of ['NFC', 'NFD']) {
        assert.equal(
          (await server.call('read_file', { path: name.normalize(form) })).facts.content,
          `this is ${name}`,
        );
      }
    }
  });

  test('answers are in Japanese where the locale is', async () => {
    using shared = sharedFolder();
    await using server = serverOn(shared.root, { LANG: 'ja_JP.UTF-8' });
    const { text } = await server.call('read_file', { path: 'ない.txt' });
    assert.equal(text, 'summary: ない.txt は見つかりません\ncode: FILES_NOT_FOUND');
  });
});
