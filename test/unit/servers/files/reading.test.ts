import assert from 'node:assert/strict';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { SharedFolder } from './shared-folder.ts';

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');
}

suite('reading', () => {
  test('a long text stops after 2,000 lines and says where to go on', async () => {
    using folder = new SharedFolder({ 'notes.txt': numbered(8123) });
    const { text, facts } = await folder.call('read_file', { path: 'notes.txt' });
    assert.match(
      text,
      /^summary: lines 1-2000 of 8123 of notes\.txt \(UTF-8, LF\), truncated - ask read_file_lines from 2001\n/,
    );
    assert.deepEqual([facts.truncated, facts.next_line, facts.last_line], [true, 2001, 2000]);
    const next = await folder.call('read_file_lines', {
      path: 'notes.txt',
      start_line: 2001,
      end_line: 9999,
    });
    assert.match(text, /\nline 2000$/);
    assert.match(next.text, /^summary: lines 2001-4000 of 8123 .*\nline 2001\n/);
  });

  test('a long text stops after 500 KB, at the end of a line', async () => {
    using folder = new SharedFolder({ 'wide.txt': `${'x'.repeat(999)}\n`.repeat(900) });
    const { facts } = await folder.call('read_file', { path: 'wide.txt' });
    assert.deepEqual([facts.last_line, facts.truncated, facts.total_lines], [500, true, 900]);
  });

  test('lines are numbered from 1 with both ends included, and numbers may come as text', async () => {
    using folder = new SharedFolder({ 'a.txt': numbered(10) });
    const { facts } = await folder.call('read_file_lines', { path: 'a.txt', start_line: '9', end_line: 10 });
    assert.deepEqual([facts.content, facts.truncated], ['line 9\nline 10', false]);
    const past = await folder.call('read_file_lines', { path: 'a.txt', start_line: 10, end_line: 50 });
    assert.deepEqual([past.facts.last_line, past.facts.truncated], [10, false]);
  });

  test('a line that is not there, or a range upside down, is refused in a sentence', async () => {
    using folder = new SharedFolder({ 'a.txt': numbered(10) });
    const range = (start_line: unknown, end_line: unknown) => ({ path: 'a.txt', start_line, end_line });
    const { text, facts } = await folder.call('read_file_lines', range(11, 12));
    assert.match(text, /a\.txt has 10 lines; there is no line 11/);
    assert.equal(facts.code, 'FILES_NOT_FOUND');
    for (const bad of [range(0, 1), range(5, 4), range('x', 4), range(1.5, 4), range(undefined, 4)]) {
      assert.equal(await folder.codeOf('read_file_lines', bad), 'FILES_ARGUMENT');
    }
  });

  test('all line ends count, mixed or not, and the last line needs none', async () => {
    using folder = new SharedFolder({
      'cr.txt': 'a\rb\rc',
      'crlf.txt': 'a\r\nb\r\n',
      'mixed.txt': 'a\r\n\nb\rc\n',
      'one.txt': 'a',
    });
    const read = async (path: string) => {
      const { facts } = await folder.call('read_file', { path });
      return [facts.content, facts.newline, facts.total_lines];
    };
    assert.deepEqual(await read('cr.txt'), ['a\nb\nc', 'CR', 3]);
    assert.deepEqual(await read('crlf.txt'), ['a\nb', 'CRLF', 2]);
    assert.deepEqual(await read('mixed.txt'), ['a\n\nb\nc', 'mixed', 4]);
    assert.deepEqual(await read('one.txt'), ['a', '', 1]);
  });

  test('a CRLF across the edge of a chunk is one line end', async () => {
    using folder = new SharedFolder({ 'edge.txt': `${'x'.repeat(64 * 1024 - 1)}\r\nsecond\r\n` });
    const { facts } = await folder.call('read_file', { path: 'edge.txt' });
    assert.deepEqual([facts.total_lines, facts.newline], [2, 'CRLF']);
  });

  test('a line of 2.7 million characters is cut at 4,000, and the next line is there', async () => {
    using folder = new SharedFolder({ 'a.json': `${'あ'.repeat(900_000)}\nsecond\n` });
    const { facts, text } = await folder.call('read_file', { path: 'a.json' });
    const [first = '', second] = String(facts.content).split('\n');
    assert.match(first, /^あ{4000}… \[cut; the line has 2700000 bytes\]$/);
    assert.equal(second, 'second');
    assert.match(text, /^summary: .*1 long line cut\n/);
  });

  test('an empty file is a success', async () => {
    using folder = new SharedFolder({ 'empty.txt': '' });
    const { text, isError } = await folder.call('read_file', { path: 'empty.txt' });
    assert.deepEqual([text, isError], ['summary: empty.txt is empty', false]);
  });

  test('a file of 10 GB is read from where it was asked, within its budget', async () => {
    using folder = new SharedFolder({ 'huge.log': numbered(3000) });
    truncateSync(join(folder.path, 'huge.log'), 10 * 1024 ** 3);
    const { facts } = await folder.call('read_file_lines', {
      path: 'huge.log',
      start_line: 2999,
      end_line: 3000,
    });
    assert.deepEqual([facts.content, facts.total_lines], ['line 2999\nline 3000', undefined]);
  });

  test('hidden names open by name', async () => {
    using folder = new SharedFolder({ '.config/app.toml': 'a = 1' });
    assert.equal((await folder.call('read_file', { path: '.config/app.toml' })).facts.content, 'a = 1');
    assert.equal((await folder.call('list_dir', { path: '.config' })).facts.total, 1);
  });

  test('the facts of a text name its encoding and count its lines, without its contents', async () => {
    using folder = new SharedFolder({ 'a.txt': numbered(12) });
    const { facts, text } = await folder.call('get_file_info', { path: 'a.txt' });
    assert.deepEqual([facts.type, facts.bytes, facts.lines, facts.encoding], ['file', 87, 12, 'UTF-8']);
    assert.match(String(facts.modified), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.doesNotMatch(text, /line 1/);
    assert.equal((await folder.call('get_file_info', { path: '.' })).facts.type, 'directory');
  });
});
