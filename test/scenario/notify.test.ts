import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

/** Each datagram's lines as they come in, from a receiver that is a process of its own. */
const PYTHON_RECEIVER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1].replace('@', chr(0), 1))
print('listening', flush=True)
while True:
    print(s.recv(65536).decode().strip(), flush=True)
`;
const APPLIANCE = join(import.meta.dirname, '..', 'fixtures', 'notify', 'appliance.ts');
const python = find('python3');
const senders = ['socat', 'systemd-notify'].filter(find);
const noReceiver = python ? false : 'no python3 here to receive datagrams with';
const noSender = senders.length > 0 ? noReceiver : 'neither socat nor systemd-notify is installed';

for (const sender of ['socat', 'systemd-notify']) {
  const skip = find(sender) ? noReceiver : `${sender} is not installed`;

  test(`systemd hears READY, WATCHDOG, STATUS and STOPPING by ${sender}`, { skip }, async () => {
    await using scene = await listen(sender);
    const appliance = scene.start({ WATCHDOG_USEC: '600000' });
    await scene.heard('READY=1');
    await scene.heard('STATUS=ready');
    await scene.heard('WATCHDOG=1', 3);
    appliance.kill('SIGTERM');
    await scene.heard('STOPPING=1');
    await once(appliance, 'exit');
    assert.equal(appliance.exitCode, 0);
  });

  test(`a blocked loop sends no WATCHDOG by ${sender}`, { skip }, async () => {
    await using scene = await listen(sender);
    const appliance = scene.start({ WATCHDOG_USEC: '300000' });
    const words = createInterface(appliance.stdout!)[Symbol.asyncIterator]();
    await scene.heard('WATCHDOG=1', 3);
    appliance.stdin!.write('block 1500\n');
    await words.next();
    // What was sent before the block may still be on its way.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const before = scene.count('WATCHDOG=1');
    await words.next();
    assert.equal(scene.count('WATCHDOG=1'), before);
    await scene.heard('WATCHDOG=1', before + 3);
  });
}

test('without a watchdog, or with one for another process, no WATCHDOG is sent', {
  skip: noSender,
}, async () => {
  await using scene = await listen(senders[0]!);
  scene.start({ WATCHDOG_USEC: '30000', WATCHDOG_PID: '1' });
  await scene.heard('STATUS=ready');
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(scene.count('WATCHDOG=1'), 0);
});

test('an abstract socket is reached as well', { skip: noSender }, async () => {
  await using scene = await listen(senders[0]!, `@aivoice-test-${process.pid}`);
  scene.start({});
  await scene.heard('READY=1');
});

const noSocat = find('socat') ? noReceiver : 'socat is not installed';

test('a killed sender is replaced and says again what holds', { skip: noSocat }, async () => {
  await using scene = await listen('socat');
  scene.start({});
  await scene.heard('STATUS=ready');
  const [pid] = scene.senders();
  process.kill(pid!, 'SIGKILL');
  await scene.heard('READY=1', 2);
  await scene.heard('STATUS=ready', 2);
});

test('the sender does not outlive a killed appliance', { skip: noSocat }, async () => {
  await using scene = await listen('socat');
  const appliance = scene.start({});
  await scene.heard('STATUS=ready');
  assert.equal(scene.senders().length, 1);
  appliance.kill('SIGKILL');
  await once(appliance, 'exit');
  const until = performance.now() + 3000;
  while (scene.senders().length > 0 && performance.now() < until)
    await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(scene.senders(), []);
});

interface Scene extends AsyncDisposable {
  /** Starts the fixture with this socket and a PATH on which only the chosen sender is found. */
  start(env: Record<string, string>): ChildProcess;
  /** Waits until a line has come in so many times. */
  heard(line: string, times?: number): Promise<void>;
  count(line: string): number;
  /** The ids of the senders that serve this socket. */
  senders(): number[];
}

async function listen(sender: string, abstract?: string): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-notify-'));
  const address = abstract ?? join(folder, 'notify');
  symlinkSync(find(sender)!, join(folder, sender));
  const receiving = spawn(python!, ['-c', PYTHON_RECEIVER, address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const children: ChildProcess[] = [receiving];
  const lines: string[] = [];
  const receiver = createInterface(receiving.stdout);
  receiver.on('line', (line) => lines.push(line));
  await once(receiver, 'line');
  const count = (line: string) => lines.filter((other) => other === line).length;
  return {
    start(env) {
      const child = spawn(process.execPath, [APPLIANCE], {
        stdio: ['pipe', 'pipe', 'ignore'],
        env: { ...env, NOTIFY_SOCKET: address, PATH: folder },
      });
      children.push(child);
      return child;
    },
    async heard(line, times = 1) {
      const signal = AbortSignal.timeout(10_000);
      while (count(line) < times) {
        await once(receiver, 'line', { signal }).catch(() =>
          assert.fail(`${line} not heard: ${lines.join(' | ')}`),
        );
      }
    },
    count,
    senders: () => processesWith(`SENDTO:${address}`),
    async [Symbol.asyncDispose]() {
      const exits = children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit'));
      for (const child of children.toReversed()) child.kill('SIGKILL');
      await Promise.all(exits);
      rmSync(folder, { recursive: true });
    },
  };
}

function processesWith(argument: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(argument))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it ended meanwhile
  }
}

function find(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
