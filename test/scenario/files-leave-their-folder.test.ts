import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { type Cloud, startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { startAppliance } from './appliance.ts';
import { Home } from './home.ts';

const SETTINGS = '[files]\nroot = "root"\n';

/** A root with links of every kind, below `work`. */
function plant(work: string): string {
  const root = join(work, 'root');
  mkdirSync(join(root, 'a', 'b'), { recursive: true });
  writeFileSync(join(root, 'a', 'ok.txt'), 'inside');
  writeFileSync(join(root, 'a', 'b', 'deep.txt'), 'deep');
  symlinkSync('a', join(root, 'in'));
  symlinkSync('../in/b', join(root, 'a', 'again'));
  symlinkSync('/etc', join(root, 'out'));
  symlinkSync('/etc/passwd', join(root, 'f'));
  symlinkSync('loop', join(root, 'loop'));
  symlinkSync('nowhere', join(root, 'dangling'));
  return root;
}

async function read(cloud: Cloud, path: string): Promise<{ text: string; isError: boolean }> {
  const result = await cloud.call('read_file', { path });
  return { text: textOf(result), isError: result.isError === true };
}

it('links inside the folder work, links out of it are refused, and nothing can be written', async () => {
  proves('files-jail');
  await using cloud = await startCloud();
  using home = new Home();
  plant(home.work);
  await using appliance = startAppliance({ cloud, home, settings: SETTINGS });
  const before = readFileSync('/etc/passwd', 'utf8');

  assert.match((await read(cloud, 'in/ok.txt')).text, /inside/);
  assert.match((await read(cloud, 'a/again/deep.txt')).text, /deep/);
  for (const path of [
    'f',
    'out/passwd',
    '../../../etc/passwd',
    '/etc/passwd',
    'a/../../root/../../etc/passwd',
  ]) {
    const { text, isError } = await read(cloud, path);
    assert.equal(isError, true, path);
    assert.match(text, /FILES_OUTSIDE/, path);
    assert.doesNotMatch(text, /root:x:0:0/);
  }
  const out = await cloud.call('list_dir', { path: 'out' });
  assert.equal(out.isError, true);
  assert.match(textOf(out), /FILES_OUTSIDE/);

  const list = textOf(await cloud.call('list_dir'));
  for (const name of ['a', 'in', 'out', 'f', 'loop', 'dangling'])
    assert.match(list, new RegExp(`\\b${name}\\b`));
  const names = (await cloud.tools()).map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => /write|create|move|delete|edit/.test(name)),
    [],
  );
  const write = await cloud.request('tools/call', {
    name: 'write_file',
    arguments: { path: 'out/x', content: '' },
  });
  assert.match(JSON.stringify(write), /TOOL_UNKNOWN/);
  assert.equal(readFileSync('/etc/passwd', 'utf8'), before);
  assert.doesNotMatch(list, new RegExp(appliance.home.folder), 'only relative paths in answers');
});

it('a folder that becomes a link while it is read never shows what is outside', async () => {
  proves('files-jail');
  await using cloud = await startCloud();
  using home = new Home();
  const root = plant(home.work);
  await using _appliance = startAppliance({ cloud, home, settings: SETTINGS });
  writeFileSync(join(root, 'a', 'passwd'), 'decoy');
  symlinkSync('/etc', join(root, 'link'));
  let reading = true;
  const seen = new Set<string>();
  const reader = async () => {
    while (reading) {
      const { text, isError } = await read(cloud, 'a/passwd');
      assert.doesNotMatch(text, /root:x:0:0/);
      seen.add(isError ? 'refused' : 'decoy');
    }
  };
  const readers = [reader(), reader(), reader(), reader()];
  for (let swap = 0; swap < 1000; swap++) {
    renameSync(join(root, 'a'), join(root, 'folder'));
    renameSync(join(root, 'link'), join(root, 'a'));
    if (swap % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    renameSync(join(root, 'a'), join(root, 'link'));
    renameSync(join(root, 'folder'), join(root, 'a'));
    if (swap % 10 === 5) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  reading = false;
  await Promise.all(readers);
  assert.ok(seen.has('decoy'), 'the readers were at work');
});
