import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readMachine } from '../../../device/voice/tools/machine.ts';

const ROUTES = (name: string) =>
  `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\n${name}\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\n`;

const WIRELESS = (quality: number) =>
  `Inter-| sta-|   Quality        |   Discarded packets\n face | tus | link level noise |  nwid\n wlan0: 0000   ${quality}.  -53.  -256        0\n`;

/** What is told of a machine whose /proc and /sys hold these files. */
async function told(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'aivoice-machine-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return await readMachine(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('network and temperature are told as the kernel has them, and nothing else is made up', async () => {
  const heat = { 'sys/class/thermal/thermal_zone0/temp': '48312\n' };
  assert.deepEqual(await told({}), {});
  assert.deepEqual(await told(heat), { chip: { temperature: 48.3 } });
  assert.deepEqual(await told({ 'proc/net/route': ROUTES('eth0') }), { network: { type: 'ethernet' } });
  for (const [quality, signal] of [
    [70, 'strong'],
    [40, 'medium'],
    [12, 'weak'],
  ] as const)
    assert.deepEqual(
      await told({ 'proc/net/route': ROUTES('wlan0'), 'proc/net/wireless': WIRELESS(quality) }),
      {
        network: { type: 'wifi', signal },
      },
    );
  assert.deepEqual(await told({ 'proc/net/route': ROUTES('wlan0') }), { network: { type: 'wifi' } });
  assert.deepEqual(await told({ 'proc/net/route': 'garbage\n\0', ...heat }), { chip: { temperature: 48.3 } });
  await readMachine(); // this machine, whatever it is
});
