import assert from 'node:assert/strict';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { execute } from '../../image/execute.ts';
import { IMAGE, Workshop } from './tiny-image.ts';

const VERSION = '6.12.0-test';
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'kernel/sound/usb/snd-usb-audio.ko.xz': ['kernel/sound/core/snd.ko.xz'],
  'kernel/sound/core/snd.ko.xz': [],
  'kernel/drivers/net/virtio_net.ko.xz': ['kernel/net/core/failover.ko.xz'],
  'kernel/drivers/net/virtio_net_other.ko.xz': [],
  'kernel/net/core/failover.ko.xz': [],
  'kernel/drivers/gpu/drm/amdgpu.ko.xz': ['kernel/lib/wide.ko.xz'],
  'kernel/lib/wide.ko.xz': [],
};

/** Thins these modules to a list; resolves with those that are left. */
async function pruned(list: string): Promise<readonly string[]> {
  using made = new Workshop();
  const modules = `usr/lib/modules/${VERSION}`;
  for (const path of Object.keys(NEEDS)) made.put(`${modules}/${path}`, 'module');
  const lines = Object.entries(NEEDS).map(([path, needs]) => `${path}: ${needs.join(' ')}`.trimEnd());
  made.put(`${modules}/modules.dep`, `${lines.join('\n')}\n`);
  made.put('list', list);
  made.put('bin/depmod', '#!/bin/sh\n'); // the real one wants real modules
  chmodSync(made.path('bin/depmod'), 0o755);
  const { code, stderr } = await execute(
    'bash',
    [
      '-ec',
      '. "$1/settings.sh"; . "$1/modules.sh"; prune_modules "$2" "$3" "$2/list"',
      'prune',
      IMAGE,
      made.folder,
      VERSION,
    ],
    { env: { PATH: `${made.path('bin')}:${process.env.PATH}` } },
  );
  assert.equal(code, 0, stderr);
  return Object.keys(NEEDS).filter((path) => existsSync(join(made.folder, modules, path)));
}

it('modules that are named stay, with what they need, and no others', async () => {
  assert.deepEqual(await pruned('# sound\nsound/usb\ndrivers/net/virtio_net\n'), [
    'kernel/sound/usb/snd-usb-audio.ko.xz',
    'kernel/sound/core/snd.ko.xz',
    'kernel/drivers/net/virtio_net.ko.xz',
    'kernel/net/core/failover.ko.xz',
  ]);
});

it('a folder that is named keeps all that is below it', async () => {
  assert.deepEqual(await pruned('drivers\n'), [
    'kernel/drivers/net/virtio_net.ko.xz',
    'kernel/drivers/net/virtio_net_other.ko.xz',
    'kernel/net/core/failover.ko.xz',
    'kernel/drivers/gpu/drm/amdgpu.ko.xz',
    'kernel/lib/wide.ko.xz',
  ]);
});
