import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance, TASK_TOOLS } from './appliance.ts';
import { Home } from './home.ts';
import { command, forProof, testTool } from './prerequisite.ts';

const python = forProof(command('python3'));
const filesystem = testTool('@modelcontextprotocol/server-filesystem/dist/index.js');

describe('a server that knows nothing of us runs unchanged behind the bridge', () => {
  it('written in Python with only the standard library', { skip: python.skip }, async () => {
    proves('server-any-language');
    await using cloud = await startCloud();
    const [program = ''] = fixture('echo.py').args ?? [];
    await using bridge = startAppliance({ verb: 'bridge', args: [program], cloud });
    const tools = await cloud.tools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['py_echo', 'py_pid', 'py_fail', ...TASK_TOOLS],
    );
    assert.deepEqual(tools[0]!.inputSchema.required, ['text']);
    assert.equal(textOf(await cloud.call('py_echo', { text: 'カ゛ラス — "quoted"' })), 'カ゛ラス — "quoted"');
    assert.equal(textOf(await cloud.call('py_pid')), `${bridge.process('echo.py').pid}`);
    assert.equal((await cloud.call('py_fail')).isError, true);
    const unknown = await cloud.request('tools/call', { name: 'py_none', arguments: {} });
    assert.equal(unknown.error?.code, -32602);
    assert.equal(textOf(await cloud.call('py_echo', { text: 'still here' })), 'still here');
  });

  it('from npm, the reference file server', { skip: filesystem.skip }, async () => {
    using root = new Home();
    root.write('note.txt', 'ナレッジ\n');
    await using cloud = await startCloud();
    const args = ['--', process.execPath, filesystem.path, root.work];
    await using _bridge = startAppliance({ verb: 'bridge', args, cloud });
    const names = (await cloud.tools()).map(({ name }) => name);
    for (const name of ['read_text_file', 'list_directory', 'write_file']) assert.ok(names.includes(name));
    const note = `${root.work}/note.txt`;
    assert.match(textOf(await cloud.call('list_directory', { path: root.work })), /\[FILE\] note\.txt/);
    assert.equal(textOf(await cloud.call('read_text_file', { path: note })), 'ナレッジ\n');
    await cloud.call('write_file', { path: note, content: 'new' });
    assert.equal(textOf(await cloud.call('read_text_file', { path: note })), 'new');
    const outside = await cloud.call('read_text_file', { path: '/etc/hostname' });
    assert.equal(outside.isError, true);
    assert.match(textOf(outside), /Access denied/);
  });
});
