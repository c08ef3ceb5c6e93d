import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lists } from '../../image/board.ts';
import { type Done, execute } from '../../image/execute.ts';
import { UNEVEN, within } from '../../image/reach.ts';
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
  let plain: Silence = { unitMs: 0, cloudMs: 0 };
  await report.step('a plain restart of the unit', { ms: 3 * MINUTE }, async () => {
    const since = house.cloud.now();
    await board.shell.get(`systemctl restart ${UNIT}`, 2 * MINUTE);
    plain = await silence(scene, since);
    tellSilence(scene, 'restart', plain);
    return undefined;
  });
  await report.step('the deploy script brings the next release', { ms: UPDATE_MS }, async () => {
    const version = versionOf(releases.next);
    const began = performance.now();
    const since = house.cloud.now();
    const done = await deploy(scene, releases.next);
    const ms = performance.now() - began;
    assert.equal(done.code, 0, `${done.stdout}\n${done.stderr}`);
    const updated = await silence(scene, since);
    report.number('deployS', seconds(ms));
    tellSilence(scene, 'update', updated);
    const ratios = {
      silentRatioUnit: ratio(updated.unitMs, plain.unitMs),
      silentRatioCloud: ratio(updated.cloudMs, plain.cloudMs),
    };
    for (const [name, value] of Object.entries(ratios)) report.number(name, value);
    assert.equal((await board.status()).version, version);
    assert.equal((await settled(board.shell)).current, version);
    const { content } = await house.cloud.call('calculate', { expression: '1004*328' }, 30_000);
    assert.match(JSON.stringify(content), /329312/);
    within(ratios, UNEVEN);
    return done.stdout.trim().split('\n').at(-1);
  });
  await refused(scene, {
    title: 'a release whose calculator does not start is undone, and its reason kept',
    release: releases.dead,
    check: 'ready', // it is tried out without servers
  });
  await refused(scene, {
    title: 'a release that calculates wrongly is undone, and its reason kept',
    release: releases.wrong,
    check: 'call',
  });
}

interface Refused {
  readonly title: string;
  readonly release: string;
  /** What found it out. */
  readonly check: string;
}

async function refused(scene: Scene, { title, release, check }: Refused): Promise<void> {
  const { report, board } = scene;
  await report.step(title, { ms: UPDATE_MS }, async () => {
    const { current, good } = await settled(board.shell);
    const done = await deploy(scene, release);
    assert.equal(done.code, 1, `${done.stdout}\n${done.stderr}`);
    const after = await settled(board.shell);
    assert.deepEqual([after.current, after.good], [current, good]);
    const { undone } = (await board.status()).release ?? {};
    assert.equal(undone?.version, versionOf(release), JSON.stringify(undone));
    assert.equal(undone.check, check, JSON.stringify(undone));
    await board.shell.get('aivoice releases --acknowledge');
    return undone.reason;
  });
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

interface Silence {
  /** From the old one's end to the new one's word to systemd that it is ready. */
  readonly unitMs: number;
  /** From the end of the old one's line to the new one's tools, as the cloud sees it. */
  readonly cloudMs: number;
}

/** How long nobody served in the last restart, which began after `since` of the cloud's clock. */
async function silence({ board, house: { cloud } }: Scene, since: number): Promise<Silence> {
  const closed = await cloud.expect(
    'the old line',
    ({ event, at }) => event === 'closed' && at > since,
    MINUTE,
  );
  const listed = await cloud.expect(
    'tools again',
    (told) => told.at > closed.at && lists(told, 'calculate'),
    2 * MINUTE,
  );
  const told = await board.shell.get(
    `systemctl show ${UNIT} -p InactiveEnterTimestampMonotonic -p ActiveEnterTimestampMonotonic`,
  );
  const at = (name: string) => Number(new RegExp(`^${name}TimestampMonotonic=(\\d+)$`, 'm').exec(told)?.[1]);
  const unitMs = (at('ActiveEnter') - at('InactiveEnter')) / 1000;
  assert.ok(unitMs > 0, told);
  return { unitMs, cloudMs: listed.at - closed.at };
}

function tellSilence({ report }: Scene, name: string, { unitMs, cloudMs }: Silence): void {
  report.number(`${name}SilentUnitS`, seconds(unitMs));
  report.number(`${name}SilentCloudS`, seconds(cloudMs));
}

function ratio(one: number, other: number): number {
  return Math.round((one / other) * 100) / 100;
}
