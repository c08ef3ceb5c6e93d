import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SerialPort } from 'serialport';
import { systemClock } from '../../../device/kernel/clock.ts';
import type { Ending } from '../../../device/kernel/service.ts';
import { openPort } from '../../../device/terminal/port.ts';
import { TIMING } from '../../../device/terminal/timing.ts';
import { plugTerminal } from '../../terminal/plug.ts';
import { openDescriptors } from './descriptors.ts';
import { Supervised } from './supervised.ts';

const folder = mkdtempSync(join(tmpdir(), 'aivoice-port-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const QUICK = { restart: { firstMs: 20, maxMs: 50 }, timing: { findMs: 20 } };

test('a port that another program owns is named as such, and taken when it is free', async () => {
  await using terminal = await plugTerminal();
  const other = new SerialPort({ path: terminal.path, baudRate: 9600, autoOpen: false });
  await new Promise<void>((resolve, reject) => other.open((error) => (error ? reject(error) : resolve())));
  await using appliance = new Supervised({ port: terminal.path, ...QUICK });
  const status = await appliance.until('TERMINAL_BUSY');
  assert.match(status.reason ?? '', /another program/);
  const linked = appliance.next('linked');
  await new Promise<void>((resolve) => other.close(() => resolve()));
  await linked;
});

test('a port that is not there, a file, a folder and a device that is no port are told apart', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'not a port');
  for (const [port, code] of [
    [join(folder, 'none'), 'TERMINAL_MISSING'],
    [join(file, 'below-a-file'), 'TERMINAL_MISSING'],
    [file, 'TERMINAL_UNUSABLE'],
    [folder, 'TERMINAL_UNUSABLE'],
    ['/dev/null', 'TERMINAL_UNUSABLE'],
  ] as const) {
    await using appliance = new Supervised({ port, ...QUICK });
    const status = await appliance.until(code);
    assert.match(status.reason ?? '', new RegExp(port));
    assert.notEqual(status.state, 'ready');
  }
});

test('a port that cannot be had is tried for ever, is never given up, and costs no descriptor', async () => {
  await using appliance = new Supervised({ port: '/dev/null', restart: { firstMs: 1, maxMs: 2 } });
  await appliance.until('TERMINAL_UNUSABLE');
  const before = openDescriptors();
  const { restarts } = appliance.status;
  while (appliance.status.restarts < restarts + 50) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(appliance.status.code, 'TERMINAL_UNUSABLE', 'the cause stays the word');
  assert.ok(openDescriptors() <= before + 1, 'one may be open now');
});

test('a terminal of another version says so', async () => {
  await using terminal = await plugTerminal({ proto: 3, fw: '3.0' });
  await using appliance = new Supervised({ port: terminal.path, ...QUICK });
  const status = await appliance.until('TERMINAL_VERSION');
  assert.match(status.reason ?? '', /version 3/);
});

test('a terminal that is there but silent is told apart from one that is missing', async () => {
  await using terminal = await plugTerminal();
  terminal.freeze();
  const timing = { helloMs: 50, pingMs: 100 };
  await using appliance = new Supervised({ port: terminal.path, ...QUICK, timing });
  await appliance.until('TERMINAL_SILENT');
  const linked = appliance.next('linked');
  terminal.thaw();
  await linked;
});

test('a port that takes no more bytes is given up, and closing it waits for nobody', async () => {
  await using terminal = await plugTerminal();
  terminal.freeze();
  const timing = { ...TIMING, writeMs: 200 };
  await using port = await openPort({ path: terminal.path, baud: 115_200, clock: systemClock, timing });
  let ending: Ending | undefined;
  void port.ended.then((said) => {
    ending = said;
  });
  // The system holds some 64 KiB by itself.
  for (let times = 0; times < 2000 && ending === undefined; times++) {
    port.write(new Uint8Array(256));
    await systemClock.sleep(1);
  }
  const { code, reason } = ending ?? { code: 'none', reason: 'it went on' };
  assert.equal(code, 'TERMINAL_LOST');
  assert.match(reason, /taken/);
  port.write(new Uint8Array(256)); // dropped: nothing is queued while it is down
});

test('a start that is no longer wanted frees the port at once', async () => {
  await using terminal = await plugTerminal();
  terminal.freeze();
  {
    await using appliance = new Supervised({ port: terminal.path });
    await systemClock.sleep(100);
    assert.equal(appliance.status.state, 'starting');
  }
  terminal.thaw();
  await using next = new Supervised({ port: terminal.path });
  await next.expect('linked');
});
