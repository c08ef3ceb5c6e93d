import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Home } from './home.ts';
import { command, type Prerequisite } from './prerequisite.ts';
import { descendants, isAlive, type Process } from './processes.ts';

/** Each datagram's lines as they come in: Node has no datagram socket of this kind, Python has. */
const PYTHON_RECEIVER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1].replace('@', chr(0), 1))
print('listening', flush=True)
while True:
    print(s.recv(65536).decode().strip(), flush=True)
`;
const APPLIANCE = join(import.meta.dirname, '..', 'fixtures', 'notify', 'appliance.ts');
const python = command('python3');
const socat = command('socat');
const systemdNotify = command('systemd-notify');
const either = socat.skip ? systemdNotify : socat;

for (const [sender, found] of [
  ['socat', socat],
  ['systemd-notify', systemdNotify],
] as const) {
  const skip = found.skip || python.skip;

  test(`systemd hears READY, WATCHDOG, STATUS and STOPPING by ${sender}`, { skip }, async () => {
    await using scene = await listen(found);
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
    await using scene = await listen(found);
    const appliance = scene.start({ WATCHDOG_USEC: '300000' });
    const words = createInterface(appliance.stdout!)[Symbol.asyncIterator]();
    await scene.heard('WATCHDOG=1', 3);
    appliance.stdin!.write('block 1500\n');
    await words.next();
    const before = scene.count('WATCHDOG=1');
    await words.next();
    // What was sent before the block may have been on its way; a loop that runs sends fifteen in this time.
    const late = scene.count('WATCHDOG=1') - before;
    assert.ok(late <= 3, `${late} while the loop was blocked`);
    await scene.heard('WATCHDOG=1', before + 3);
  });
}

test('without a watchdog, or with one for another process, no WATCHDOG is sent', {
  skip: either.skip || python.skip,
}, async () => {
  await using without = await listen(either);
  without.start({});
  await using another = await listen(either);
  another.start({ WATCHDOG_USEC: '30000', WATCHDOG_PID: '1' });
  for (const scene of [without, another]) await scene.heard('STATUS=ready');
  // By the time that a third one has sent many, these two would have sent some.
  await using watched = await listen(either);
  watched.start({ WATCHDOG_USEC: '30000' });
  await watched.heard('WATCHDOG=1', 10);
  assert.deepEqual([without.count('WATCHDOG=1'), another.count('WATCHDOG=1')], [0, 0]);
});

test('an abstract socket is reached as well', { skip: either.skip || python.skip }, async () => {
  await using scene = await listen(either, `@aivoice-test-${process.pid}`);
  scene.start({});
  await scene.heard('READY=1');
});

test('a killed sender is replaced and says again what holds', {
  skip: socat.skip || python.skip,
}, async () => {
  await using scene = await listen(socat);
  const appliance = scene.start({});
  await scene.heard('STATUS=ready');
  process.kill(senderOf(appliance).pid, 'SIGKILL');
  await scene.heard('READY=1', 2);
  await scene.heard('STATUS=ready', 2);
});

test('the sender does not outlive a killed appliance', { skip: socat.skip || python.skip }, async () => {
  await using scene = await listen(socat);
  const appliance = scene.start({});
  await scene.heard('STATUS=ready');
  const { pid } = senderOf(appliance);
  appliance.kill('SIGKILL');
  await once(appliance, 'exit');
  const deadline = performance.now() + 3000;
  while (isAlive(pid) && performance.now() < deadline) await sleep(10);
  assert.equal(isAlive(pid), false);
});

interface Scene extends AsyncDisposable {
  /** Starts the fixture with this socket and a PATH on which only the chosen sender is found. */
  start(env: Record<string, string>): ChildProcess;
  /** Waits until a line has come in so many times. */
  heard(line: string, times?: number): Promise<void>;
  count(line: string): number;
}

/** The process that sends for an appliance. */
function senderOf({ pid = 0 }: ChildProcess): Process {
  const found = descendants(pid).filter((process) => process.command.includes('SENDTO:'));
  assert.equal(found.length, 1);
  return found[0]!;
}

async function listen(sender: Prerequisite, abstract?: string): Promise<Scene> {
  const home = new Home();
  const address = abstract ?? join(home.work, 'notify');
  const path = join(home.work, 'bin');
  mkdirSync(path);
  symlinkSync(sender.path, join(path, basename(sender.path)));
  const receiving = spawn(python.path, ['-c', PYTHON_RECEIVER, address], {
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
        env: { ...env, NOTIFY_SOCKET: address, PATH: path },
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
    async [Symbol.asyncDispose]() {
      const exits = children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit'));
      for (const child of children.toReversed()) child.kill('SIGKILL');
      await Promise.all(exits);
      home[Symbol.dispose]();
    },
  };
}
