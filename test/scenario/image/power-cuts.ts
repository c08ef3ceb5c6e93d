import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { endGroup } from '../../image/execute.ts';
import { versionOf } from '../../image/releases.ts';
import { AT, settled } from '../../image/store.ts';
import { seconds } from './first-boot.ts';
import { BOOT_MS, MINUTE, type Scene, UPDATE_MS } from './scene.ts';
import { deploy } from './updates.ts';

/** What the condition tells has just begun; a little later it goes on. */
const AFTER_MS = 300;

/** After that what is amiss is no longer on its way to be right. */
const SETTLED_MS = 2 * MINUTE;
const AGAIN_MS = 3000;

interface CutAt {
  readonly title: string;
  /** A condition of the machine's shell. */
  readonly when: string;
  readonly release: string;
  readonly came: string;
  readonly flags?: readonly string[];
  /** Of the undo that the next boot tells, or none. */
  readonly check?: string;
}

/** The three points at which a power cut means something different. */
export async function powerCuts(scene: Scene): Promise<void> {
  const { board, releases } = scene;
  const before = (await settled(board.shell)).current;
  const release = before === versionOf(releases.next) ? releases.afterNext : releases.next;
  const to = versionOf(release);
  const flags = ['--again', '--downgrade'];
  await cut(scene, { title: 'while files are written', when: AT.staging, release, came: before, flags });
  await cut(scene, {
    title: 'between the switch and its proof',
    when: AT.proving(to),
    release,
    came: before,
    flags,
    check: 'reboot',
  });
  await cut(scene, { title: 'in the watch after it', when: AT.watching(to), release, came: to, flags });
}

async function cut(scene: Scene, { title, when, release, came, flags, check }: CutAt): Promise<void> {
  const { report, board } = scene;
  await report.step(`the power goes ${title}`, { ms: UPDATE_MS + BOOT_MS, vital: true }, async () => {
    // Left alone the script would begin again as soon as the board is back.
    let end = () => {};
    const onStart = (child: ChildProcess) => {
      end = () => endGroup(child);
    };
    const deploying = deploy(scene, release, flags, onStart).catch((error: unknown) => error);
    try {
      await board.shell.until(when, UPDATE_MS);
      await sleep(AFTER_MS);
      await board.cutPower();
    } finally {
      end();
      await deploying;
    }
    await board.on();
    return `${seconds(await board.ready(BOOT_MS))} s to ready`;
  });
  await report.step(`it comes back with ${came}, and data intact`, { ms: 5 * MINUTE }, async () => {
    await board.running(2 * MINUTE);
    const fault = await faultAfterCut(scene, [came]);
    assert.equal(fault, null);
    if (check !== undefined) {
      assert.equal((await board.status()).release.undone?.check, check);
      await board.shell.get('aivoice releases --acknowledge');
    }
    return undefined;
  });
}

/**
 * What is wrong after a cut and a boot, or null: which release serves, of those that may; what is left behind, what has
 * happened to data. A board that has just become ready may still be starting a server, or seeing that what is back answers.
 */
export async function faultAfterCut(scene: Scene, may: readonly string[]): Promise<string | null> {
  const deadline = performance.now() + SETTLED_MS;
  for (;;) {
    const fault = await faultNow(scene, may);
    if (fault === null || performance.now() >= deadline) return fault;
    await sleep(AGAIN_MS);
  }
}

async function faultNow({ board }: Scene, may: readonly string[]): Promise<string | null> {
  const { current, good, leavings } = await settled(board.shell);
  const { version, parts } = await board.status();
  const name = current === 'factory' ? version : current;
  // A release that was undone is told until somebody acknowledges it.
  const unready = parts.filter(({ state, name }) => state !== 'ready' && name !== 'release');
  const data = await board.shell.run(
    'test "$(cat /var/lib/aivoice/should-stay)" = kept && test -s /etc/aivoice/endpoint && test ! -e /should-vanish',
  );
  const faults = [
    ...(may.includes(name) ? [] : [`${name} is current, not ${may.join(' or ')}`]),
    ...(version === name ? [] : [`${version} runs, ${name} is current`]),
    ...(good === current ? [] : [`${good} is called good, ${current} is current`]),
    ...leavings.map((name) => `left behind: ${name}`),
    ...unready.map((part) => `${part.name} is ${part.state} ${part.code}`),
    ...(data.code === 0 ? [] : ['data have changed']),
  ];
  return faults.length === 0 ? null : faults.join('; ');
}
