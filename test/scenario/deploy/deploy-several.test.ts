import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Desk } from './desk.ts';
import { sshd } from './prerequisite.ts';
import { freePort, Owner, type SshHost, startHost } from './ssh-host.ts';

const { skip } = sshd();
const BAD = JSON.stringify({ exit: 5, says: 'UPDATE_UNDONE: back again' });

describe('a deploy to several hosts', { skip }, () => {
  it('updates as many at a time as allowed, and tells them in the order of the command line', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using hosts = await startHosts(owner, 3);
    const [first, second, third] = hosts.list as [SshHost, SshHost, SshHost];
    const gates = [first, second].map((host) => host.hold('apply'));

    await using deployment = desk.deploy('--parallel', '2', '--release', desk.release(), ...hosts.names);
    await Promise.all([first, second].map((host) => host.until('calls', (text) => text.includes('apply'))));
    assert.deepEqual(third.calls, []);
    gates[1]?.letGo();
    await third.until('serves', (text) => text !== '');
    gates[0]?.letGo();
    const { code, lines } = await deployment.verdict();

    assert.equal(code, 0);
    assert.deepEqual(
      lines.map((line) => line.split(' ').slice(0, 2).join(' ')),
      hosts.names.map((name) => `${name} ok`),
    );
  });

  it('begins no other host after a failure', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using hosts = await startHosts(owner, 2);
    const gone = `ssh://owner@127.0.0.1:${await freePort()}`;

    const args = ['--parallel', '1', '--release', desk.release()];
    await using deployment = desk.deploy(...args, gone, ...hosts.names);
    const { code, lines } = await deployment.verdict();

    assert.equal(code, 1);
    assert.match(lines[0] ?? '', /failed HOST_UNREACHABLE/);
    assert.deepEqual(
      lines.slice(1),
      hosts.names.map((name) => `${name} skipped`),
    );
    assert.deepEqual(
      hosts.list.flatMap((host) => host.calls),
      [],
    );
  });

  it('goes on after a failure when told to', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using hosts = await startHosts(owner, 3);
    hosts.list[0]?.write('behaviour.json', BAD);

    const args = ['--keep-going', '--parallel', '1', '--release', desk.release()];
    await using deployment = desk.deploy(...args, ...hosts.names);
    const { code, lines } = await deployment.verdict();

    assert.equal(code, 1);
    assert.deepEqual(lines.map(stateOf), ['failed', 'ok', 'ok']);
  });

  it('stops after a canary that fails, also when told to keep going', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using hosts = await startHosts(owner, 4);
    hosts.list[1]?.write('behaviour.json', BAD);

    const args = ['--canary', '2', '--keep-going', '--release', desk.release()];
    await using deployment = desk.deploy(...args, ...hosts.names);
    const { code, lines } = await deployment.verdict();

    assert.equal(code, 1);
    assert.deepEqual(lines.map(stateOf), ['ok', 'failed', 'skipped', 'skipped']);
  });

  it('waits for its canary before it begins the others', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using hosts = await startHosts(owner, 3);
    const canary = hosts.list[0] as SshHost;
    const gate = canary.hold('switch');

    await using deployment = desk.deploy('--canary', '1', '--release', desk.release(), ...hosts.names);
    await canary.switching();
    assert.deepEqual(
      hosts.list.slice(1).flatMap((host) => host.calls),
      [],
    );
    gate.letGo();
    const { code, lines } = await deployment.verdict();

    assert.equal(code, 0);
    assert.deepEqual(lines.map(stateOf), ['ok', 'ok', 'ok']);
  });

  it('at once with another deploy is refused as busy, and the other goes on', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using host = await startHost(owner);
    const gate = host.hold('switch');
    const file = desk.release();
    await using first = desk.deploy('--release', file, host.name);
    await host.switching();

    await using second = desk.deploy('--release', file, host.name);
    const late = await second.verdict();
    gate.letGo();
    const early = await first.verdict();

    assert.deepEqual([late.code, early.code], [1, 0]);
    assert.match(late.lines[0] ?? '', /failed UPDATE_BUSY/);
  });

  it('takes a host that is named twice once', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using host = await startHost(owner);
    await using deployment = desk.deploy('--release', desk.release(), host.name, host.name);
    assert.equal((await deployment.verdict()).lines.length, 1);
  });
});

describe('the usage of the deploy script', { skip }, () => {
  for (const [args, says] of [
    [[], /expected at least one host/],
    [['owner@a'], /no release in build/],
    [['--release', '/nowhere/x.tar.zst', 'owner@a'], /--release: no such readable file/],
    [['--parallel', '0', 'owner@a'], /--parallel: expected a number from 1 to 64/],
    [['--canary', 'one', 'owner@a'], /--canary: expected a number/],
    [['--port', '99999', 'owner@a'], /--port: expected a number from 1 to 65535/],
    [['--fast', 'owner@a'], /--fast: unknown option/],
    [['owner@a', '--release'], /--release: expected a value/],
    [['owner@a b'], /not a host: 'owner@a b'/],
  ] as const) {
    it(`is told with exit code 64: ${args.join(' ') || 'nothing'}`, async () => {
      using owner = new Owner();
      using desk = new Desk(owner);
      await using deployment = desk.deploy(...args);
      const { code, stderr, stdout } = await deployment.verdict();
      assert.equal(code, 64);
      assert.match(stderr, says);
      assert.equal(stdout, '');
      assert.deepEqual(desk.leavings, []);
    });
  }
});

function stateOf(line: string): string {
  return line.split(' ')[1] ?? '';
}

async function startHosts(owner: Owner, count: number): Promise<Hosts> {
  await using made = new AsyncDisposableStack();
  const list: SshHost[] = [];
  for (let number = 0; number < count; number += 1) list.push(made.use(await startHost(owner)));
  return new Hosts(list, made.move());
}

class Hosts implements AsyncDisposable {
  readonly list: readonly SshHost[];
  readonly #held: AsyncDisposableStack;

  constructor(list: readonly SshHost[], held: AsyncDisposableStack) {
    this.list = list;
    this.#held = held;
  }

  get names(): readonly string[] {
    return this.list.map(({ name }) => name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#held[Symbol.asyncDispose]();
  }
}
