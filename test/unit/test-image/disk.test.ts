import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Disk } from '../../image/disk.ts';
import { execute, output } from '../../image/execute.ts';
import { command } from '../../scenario/prerequisite.ts';

/** A card whose boot partition is where the image has it. */
async function card(context: TestContext): Promise<{ readonly disk: Disk; readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-card-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'card.img');
  writeFileSync(file, '');
  truncateSync(file, 260 << 20);
  await output('mkfs.vfat', ['-F', '32', '--offset', '8192', file, `${256 << 10}`]);
  return { disk: new Disk(file), folder };
}

const needs = ['mkfs.vfat', 'mcopy'].map((program) => command(program).skip).find(Boolean) ?? false;

test('what was put on the boot partition is listed and read again, what was not is undefined', {
  skip: needs,
}, async (context) => {
  const { disk, folder } = await card(context);
  assert.deepEqual(await disk.names(), []);
  await disk.put('aivoice.toml', 'name = "x"\n', folder);
  assert.deepEqual(await disk.names(), ['aivoice.toml']);
  assert.equal(await disk.text('aivoice.toml', folder), 'name = "x"\n');
  assert.equal(await disk.text('aivoice-errors.txt', folder), undefined);
});

test('a boot partition that cannot be read is not taken for one whose file is gone', {
  skip: needs,
}, async (context) => {
  const { disk, folder } = await card(context);
  await execute('dd', ['if=/dev/zero', `of=${disk.file}`, 'bs=1M', 'seek=4', 'count=1', 'conv=notrunc']);
  await assert.rejects(disk.text('aivoice.toml', folder), /mdir/);
});
