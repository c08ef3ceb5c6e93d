import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { describe, it } from 'node:test';
import { buildRelease } from '../../release/builder.ts';
import { Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';
import { type Behaviour, littleTree } from '../../release/little-tree.ts';
import { layCable } from './cable.ts';
import { Desk } from './desk.ts';
import { noAnsible, play } from './playbook.ts';
import { sshd } from './prerequisite.ts';
import { Owner, type SshHost, startHost } from './ssh-host.ts';

const NAME = `aivoice-1.1.0-${process.arch}.tar.zst`;

describe('a deploy to a host with the real installer', { skip: sshd().skip }, () => {
  it('puts the release in place, and finds it there when it is run again', async () => {
    await using scene = await setScene();
    const { host, ssh, desk } = scene;
    const own = host.belongings();
    const file = desk.put(NAME, await scene.release('well'));
    for (const [says, isSent] of [
      ['1.1.0: is in place and works', true],
      ['1.1.0: is in place already', false],
    ] as const) {
      await using deployment = desk.deploy('--release', file, ssh.name);
      const { code, lines, stderr } = await deployment.verdict();
      assert.equal(code, 0, stderr);
      assert.match(lines[0] ?? '', / ok 1\.1\.0 \(/);
      assert.ok(stderr.includes(says), stderr);
      assert.equal(stderr.includes('sent 100 %'), isSent);
    }
    assert.equal(await host.serving(), '1.1.0');
    assert.equal(host.belongings(), own);
  });

  it('tells why a release was undone, while the one of before serves', async () => {
    await using scene = await setScene();
    const { host, ssh, desk } = scene;
    const file = desk.put(NAME, await scene.release('stillborn'));
    await using deployment = desk.deploy('--release', file, ssh.name);
    const { code, lines, stderr } = await deployment.verdict();
    assert.equal(code, 1, stderr);
    assert.match(lines[0] ?? '', / failed UPDATE_UNDONE A version did not work/);
    assert.equal(await host.serving(), '1.0.0');

    await using again = desk.deploy('--release', file, ssh.name);
    assert.match((await again.verdict()).lines[0] ?? '', / failed RELEASE_KNOWN_BAD /);
  });

  it('resumes a transfer that broke', async () => {
    await using scene = await setScene();
    const { host, ssh, desk } = scene;
    await using cable = await layCable(ssh.port);
    appendFileSync(desk.owner.knownHosts, ssh.knownAs(cable.port));
    const file = desk.put(NAME, await scene.release('well', 6_000_000));
    cable.cutAfter(4_000_000);

    const through = `ssh://${userInfo().username}@127.0.0.1:${cable.port}`;
    await using deployment = desk.deploy('--release', file, through);
    const { code, stderr } = await deployment.verdict();

    assert.equal(code, 0, stderr);
    assert.match(stderr, /going on at byte [1-9]\d{5}/);
    assert.equal(await host.serving(), '1.1.0');
  });

  it('killed while the appliance restarts, takes nothing with it: the update ends by itself', async () => {
    await using scene = await setScene();
    const { host, ssh, desk } = scene;
    const file = desk.put(NAME, await scene.release('well'));
    const moments = new EventEmitter();
    const restarting = once(moments, 'restarting');
    const letGo = once(moments, 'let go');
    host.systemd.hold = async (command) => {
      if (command !== 'restart aivoice.service') return;
      moments.emit('restarting');
      await letGo;
    };
    await using first = desk.deploy('--release', file, ssh.name);
    await restarting;
    first.child.kill('SIGKILL');
    await first.verdict();
    assert.deepEqual(await first.leftovers(), []);

    // The host is still at it: it is refused here, and waited for where the connection broke instead.
    await using second = desk.deploy('--release', file, ssh.name);
    assert.match((await second.verdict()).lines[0] ?? '', / failed UPDATE_BUSY /);
    moments.emit('let go');
    await untilConfirmed(host);

    await using third = desk.deploy('--release', file, ssh.name);
    const { code, stderr } = await third.verdict();
    assert.equal(code, 0, stderr);
    assert.equal(await host.serving(), '1.1.0');
  });

  it('works from the playbook for fleets', { skip: noAnsible }, async () => {
    await using scene = await setScene();
    const { host, ssh, desk } = scene;
    desk.put(NAME, await scene.release('well'));
    const { code, stdout } = await play(desk, [ssh]);
    assert.equal(code, 0, stdout);
    assert.equal(await host.serving(), '1.1.0');
    assert.ok(host.systemd.asked.includes('restart aivoice.service'), host.systemd.asked.join('\n'));
  });
});

async function untilConfirmed(host: Host): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (host.link('good') !== '1.1.0') {
    if (performance.now() > deadline) throw new Error('the update did not end by itself');
    await host.install('releases');
  }
}

/** Scene: an appliance that serves 1.0.0, behind a real SSH server, and somebody who has a newer release. */
class Scene implements AsyncDisposable {
  readonly key: SigningKey;
  readonly host: Host;
  readonly ssh: SshHost;
  readonly desk: Desk;
  readonly #held: AsyncDisposableStack;

  constructor(parts: Pick<Scene, 'key' | 'host' | 'ssh' | 'desk'>, held: AsyncDisposableStack) {
    this.key = parts.key;
    this.host = parts.host;
    this.ssh = parts.ssh;
    this.desk = parts.desk;
    this.#held = held;
  }

  /** 1.1.0, and so many bytes more that nothing can make smaller. */
  async release(behaves: Behaviour, ballast = 0): Promise<Buffer> {
    const files = [
      ...littleTree('1.1.0', behaves),
      { path: 'licences/long', mode: 0o644, bytes: randomBytes(ballast) },
    ];
    return await buildRelease({ version: '1.1.0', key: this.key, files });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#held[Symbol.asyncDispose]();
  }
}

async function setScene(): Promise<Scene> {
  await using made = new AsyncDisposableStack();
  const key = made.use(new SigningKey());
  const owner = made.use(new Owner());
  const desk = made.use(new Desk(owner));
  const host = made.use(new Host({ key }));
  const variables = Object.entries(host.systemd.env).map(([name, value]) => `${name}='${value}'`);
  const installer = `exec env ${variables.join(' ')} ${host.root}/opt/aivoice/bin/aivoice-install "$@"`;
  const ssh = made.use(await startHost(owner, { programs: { 'aivoice-install': installer } }));
  await host.boot();
  return new Scene({ key, host, ssh, desk }, made.move());
}
