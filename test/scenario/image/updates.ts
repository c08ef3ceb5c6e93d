import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CloudEvent, Timed } from '../../cloud/events.ts';
import { lists } from '../../image/board.ts';
import { type Done, execute } from '../../image/execute.ts';
import { versionOf } from '../../image/releases.ts';
import { settled } from '../../image/store.ts';
import { seconds } from './first-boot.ts';
import { MINUTE, type Scene, UPDATE_MS } from './scene.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const UNIT = 'aivoice.service';

/** One deploy by the script that owners have, over ssh. */
export async function deploy(
  { owner }: Scene,
  release: string,
  flags: readonly string[] = [],
  onStart: (child: ChildProcess) => void = () => {},
): Promise<Done> {
  const options = owner.options.flatMap((option) => ['--ssh-option', option]);
  const args = [
    join(ROOT, 'deploy', 'deploy.sh'),
    '--release',
    release,
    '--port',
    `${owner.port}`,
    ...options,
    ...flags,
  ];
  const env = { LANG: 'en_US.UTF-8' };
  return await execute('bash', [...args, owner.address], { ms: UPDATE_MS, env, onStart });
}

/** A good update, one that undoes itself, one by the playbook of fleets. */
export async function updates(scene: Scene): Promise<void> {
  const { report, board, releases, house } = scene;
  let plainMs = 0;
  await report.step('a plain restart of the unit', { ms: 3 * MINUTE }, async () => {
    const began = house.cloud.now();
    const again = (told: Timed<CloudEvent>) => told.at > began && lists(told, 'calculate');
    const listed = house.cloud.expect('tools after the restart', again, 2 * MINUTE);
    await board.shell.get(`systemctl restart ${UNIT}`, 2 * MINUTE);
    plainMs = await silentMs(scene);
    await listed;
    report.number('restartSilentS', seconds(plainMs));
    return undefined;
  });
  await report.step('the deploy script brings the next release', { ms: UPDATE_MS }, async () => {
    const version = versionOf(releases.next);
    const began = performance.now();
    const done = await deploy(scene, releases.next);
    const ms = performance.now() - began;
    assert.equal(done.code, 0, `${done.stdout}\n${done.stderr}`);
    const updatedMs = await silentMs(scene);
    report.number('deployS', seconds(ms));
    report.number('updateSilentS', seconds(updatedMs));
    report.number('updateSilentRatio', Math.round((updatedMs / plainMs) * 100) / 100);
    assert.equal((await board.status()).version, version);
    assert.equal((await settled(board.shell)).current, version);
    const { content } = await house.cloud.call('calculate', { expression: '1004*328' }, 30_000);
    assert.match(JSON.stringify(content), /329312/);
    return done.stdout.trim().split('\n').at(-1);
  });
  await report.step(
    'a release that cannot calculate is undone, and its reason kept',
    { ms: UPDATE_MS },
    async () => {
      const before = await settled(board.shell);
      const done = await deploy(scene, releases.broken);
      assert.equal(done.code, 1, `${done.stdout}\n${done.stderr}`);
      const after = await settled(board.shell);
      assert.deepEqual(after, before);
      const { release } = await board.status();
      const undone = release?.undone as Readonly<Record<string, unknown>>;
      assert.equal(undone?.version, versionOf(releases.broken), JSON.stringify(release));
      await board.shell.get('aivoice releases --acknowledge');
      return `${undone.check}: ${undone.reason}`;
    },
  );
}

/** The playbook of fleets, with the one board as its fleet. */
export async function fleet(scene: Scene): Promise<void> {
  const { report, board, owner, releases, folder } = scene;
  await report.step('the playbook of fleets brings a release', { ms: UPDATE_MS }, async () => {
    const inventory = join(folder, 'board.json');
    const host = {
      ansible_host: '127.0.0.1',
      ansible_port: owner.port,
      aivoice_ssh_options: owner.options,
      aivoice_release: releases.afterNext,
    };
    writeFileSync(inventory, JSON.stringify({ appliances: { hosts: { board: host } } }));
    const done = await execute(
      'ansible-playbook',
      ['-i', inventory, join(ROOT, 'deploy', 'fleet', 'update.yml')],
      { ms: UPDATE_MS, env: { LANG: 'C.UTF-8', ANSIBLE_LOCAL_TEMP: join(folder, 'ansible') } },
    );
    assert.equal(done.code, 0, `${done.stdout}\n${done.stderr}`);
    assert.equal((await settled(board.shell)).current, versionOf(releases.afterNext));
    return undefined;
  });
}

/** From the old one's end to the new one's readiness, of the last restart, as systemd saw it. */
async function silentMs({ board }: Scene): Promise<number> {
  const told = await board.shell.get(
    `systemctl show ${UNIT} -p InactiveEnterTimestampMonotonic -p ActiveEnterTimestampMonotonic`,
  );
  const at = (name: string) => Number(new RegExp(`^${name}TimestampMonotonic=(\\d+)$`, 'm').exec(told)?.[1]);
  const ms = (at('ActiveEnter') - at('InactiveEnter')) / 1000;
  assert.ok(ms > 0, told);
  return ms;
}
