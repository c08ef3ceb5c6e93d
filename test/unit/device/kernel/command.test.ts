import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findCommand } from '../../../../device/kernel/command.ts';
import { Fault } from '../../../../device/kernel/fault.ts';

const root = mkdtempSync(join(tmpdir(), 'aivoice-command-'));
after(() => rmSync(root, { recursive: true, force: true }));

for (const folder of ['bin', 'other', 'work/own', 'bin/folder'])
  mkdirSync(join(root, folder), { recursive: true });
for (const file of ['bin/tool', 'other/tool', 'other/second', 'work/own/mine', 'work/here']) {
  writeFileSync(join(root, file), '#!/bin/sh\n');
  chmodSync(join(root, file), 0o755);
}
writeFileSync(join(root, 'bin/plain'), '', { mode: 0o644 });
writeFileSync(join(root, 'bin/second'), '', { mode: 0o644 });

const path = `${root}/bin:${root}/none::${root}/other`;
const cwd = join(root, 'work');

function why(command: string, folders = path, place = cwd): string {
  try {
    return findCommand(command, folders, place);
  } catch (error) {
    assert.ok(error instanceof Fault && error.code === 'SERVER_NOT_FOUND');
    return error.message;
  }
}

test('a bare name is sought along the path, in its order, and only programs count', () => {
  assert.equal(why('tool'), join(root, 'bin/tool'));
  assert.equal(why('second'), join(root, 'other/second'), 'what cannot be executed is passed over');
  assert.equal(why('here'), join(root, 'work/here'), 'an empty entry is the working folder');
});

test('a path stands for itself, a relative one from the working folder, in the path too', () => {
  assert.equal(why('./own/mine'), join(root, 'work/own/mine'));
  assert.equal(why('own/mine'), join(root, 'work/own/mine'));
  assert.equal(why(join(root, 'bin/tool')), join(root, 'bin/tool'));
  assert.equal(why('mine', 'own'), join(root, 'work/own/mine'));
  assert.equal(why('tool', '../bin'), join(root, 'bin/tool'));
});

test('what cannot be run is refused with the reason', () => {
  assert.equal(why('nothing'), 'command not found: nothing');
  assert.equal(why('/no/such/file'), 'command not found: /no/such/file');
  assert.equal(why('plain'), 'command not executable: plain');
  assert.equal(why('folder'), 'command not found: folder');
  assert.equal(why(''), 'command not found: ');
  assert.equal(why('a\0b'), 'command not found: a\0b');
  assert.equal(why('tool', path, join(root, 'gone')), `working folder not found: ${join(root, 'gone')}`);
  assert.equal(
    why('tool', path, join(root, 'bin/tool')),
    `working folder not found: ${join(root, 'bin/tool')}`,
  );
});
