import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { callTool, SharedFolder } from './shared-folder.ts';

suite('paths and the root', () => {
  test('paths that leave the folder are refused and not repeated', async () => {
    using folder = new SharedFolder({ 'sub/a.txt': 'x' });
    const paths = [
      '..',
      '../x',
      'sub/../../x',
      '/etc/passwd',
      '/',
      '/proc/self/environ',
      `${folder.path}-evil/x`,
    ];
    for (const path of paths) {
      const { facts, text } = await folder.call('read_file', { path });
      assert.equal(facts.code, 'FILES_OUTSIDE', path);
      assert.doesNotMatch(text, /etc|proc|evil|tmp/);
    }
  });

  test('dots and slashes that stay inside are taken', async () => {
    using folder = new SharedFolder({ 'sub/a.txt': 'x' });
    for (const path of ['./sub//a.txt', 'sub/../sub/a.txt', 'none/../sub/a.txt']) {
      assert.equal((await folder.call('read_file', { path })).facts.path, 'sub/a.txt');
    }
  });

  test('absolute paths inside the folder are taken in both spellings where the folder itself is a link', async () => {
    using folder = new SharedFolder({ 'sub/a.txt': 'x' });
    const alias = join(folder.parent, 'alias');
    symlinkSync('root', alias);
    for (const path of [join(alias, 'sub/a.txt'), join(folder.path, 'sub/a.txt')]) {
      const { facts, text } = await callTool(alias, 'read_file', { path });
      assert.equal(facts.path, 'sub/a.txt');
      assert.doesNotMatch(text, /tmp/);
    }
    assert.equal((await callTool(alias, 'list_dir', { path: alias })).facts.path, '.');
  });

  test('what no name can be is not found: NUL, over 4096 bytes, over 64 folders', async () => {
    using folder = new SharedFolder();
    for (const path of ['a\0b', 'x'.repeat(5000), 'a/'.repeat(65), 'x'.repeat(300)]) {
      assert.equal(await folder.codeOf('read_file', { path }), 'FILES_NOT_FOUND');
    }
  });

  test('a call without a path, or with one that is no text, says what is wanted', async () => {
    using folder = new SharedFolder();
    assert.equal(await folder.codeOf('read_file', {}), 'FILES_ARGUMENT');
    assert.equal(await folder.codeOf('list_dir', { path: 7 }), 'FILES_ARGUMENT');
    assert.equal(await folder.codeOf('list_dir', { offset: -1 }), 'FILES_ARGUMENT');
  });

  test('without a root every tool says so, and names the setting', async () => {
    for (const name of ['list_dir', 'read_file', 'read_file_lines', 'get_file_info', 'search_filename']) {
      const { facts, text, isError } = await callTool(undefined, name, {
        path: 'a',
        pattern: 'a',
        start_line: 1,
      });
      assert.deepEqual([isError, facts.code, facts.reason], [true, 'FILES_NO_ROOT', 'unset']);
      assert.match(text, /MCP_FILE_ROOT/);
    }
  });

  test('a root that is missing, or a file, is named so; one that is made later works from the next call on', async () => {
    using folder = new SharedFolder();
    rmSync(folder.path, { recursive: true });
    assert.equal((await folder.call('list_dir')).facts.reason, 'missing');
    writeFileSync(folder.path, 'no folder');
    assert.equal((await folder.call('list_dir')).facts.reason, 'file');
    rmSync(folder.path);
    mkdirSync(folder.path);
    folder.add({ 'a.txt': 'x' });
    assert.equal((await folder.call('list_dir')).facts.total, 1);
  });

  test('a root that is set in one Unicode form is found in the other', async () => {
    using folder = new SharedFolder({ 'a.txt': 'x' });
    renameSync(folder.path, join(folder.parent, 'ナレッジ'.normalize('NFD')));
    const root = join(folder.parent, 'ナレッジ'.normalize('NFC'));
    assert.equal((await callTool(root, 'list_dir')).facts.total, 1);
    assert.equal((await callTool(root, 'read_file', { path: join(root, 'a.txt') })).facts.path, 'a.txt');
  });

  test('a file is no folder and a folder is no file', async () => {
    using folder = new SharedFolder({ 'sub/a.txt': 'x' });
    assert.equal(await folder.codeOf('list_dir', { path: 'sub/a.txt' }), 'FILES_NOT_FOUND');
    assert.equal(await folder.codeOf('read_file', { path: 'sub/a.txt/b' }), 'FILES_NOT_FOUND');
    assert.equal(await folder.codeOf('read_file', { path: 'sub' }), 'FILES_NOT_A_FILE');
    assert.equal(
      await folder.codeOf('search_filename', { pattern: 'a', path: 'sub/a.txt' }),
      'FILES_NOT_FOUND',
    );
  });
});
