import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Done, endGroup } from '../../image/execute.ts';
import { type Cut, Journal, type Subject } from '../../image/journal.ts';
import { planOf } from '../../image/plan.ts';
import { LOADED, within } from '../../image/reach.ts';
import { versionOf } from '../../image/releases.ts';
import { type Report, reasonOf } from '../../image/report.ts';
import { shortfalls } from '../../image/row.ts';
import { phase, settled } from '../../image/store.ts';
import { seconds } from './first-boot.ts';
import { faultAfterCut } from './power-cuts.ts';
import { BOOT_MS, MINUTE, type Scene, UPDATE_MS } from './scene.ts';
import { deploy } from './updates.ts';

/** How long the power waits for a look at what the update is at. */
const LOOK_MS = 3000;

/** Cuts of one plan and one journal. Boards that share it take one number after the other of those still to be made. */
export interface Row {
  readonly count: number;
  readonly seed: number;
  readonly journal: Journal;
  readonly plan: readonly number[];
  readonly numbers: IterableIterator<number>;
}

export function openRow(file: string, subject: Subject, count: number): Row {
  const journal = new Journal(file, subject);
  const numbers = journal.missing(count).values();
  return { count, seed: subject.seed, journal, plan: planOf(subject.seed, count), numbers };
}

/** Cuts that were left to chance: the power goes at any instant of an update, and each time it has to come back. */
export async function cutsByChance(scene: Scene, { count, plan, numbers, journal }: Row): Promise<void> {
  const { report } = scene;
  let wholeMs = 0;
  await report.step(
    'a whole update, to know how long one takes',
    { ms: UPDATE_MS, vital: true },
    async () => {
      const release = await other(scene);
      const began = performance.now();
      const done = await deploy(scene, release, ['--again', '--downgrade']);
      wholeMs = performance.now() - began;
      if (done.code !== 0) throw new Error(`${done.stdout}\n${done.stderr}`);
      report.number('wholeUpdateS', seconds(wholeMs));
      return undefined;
    },
  );
  for (const number of numbers) {
    const instant = plan[number - 1] ?? 0;
    const title = `power cut ${number} of ${count}, at ${seconds(instant * wholeMs)} s of an update`;
    await report.step(title, { ms: UPDATE_MS + 2 * BOOT_MS, vital: true }, async () => {
      const cut = await cutAt(scene, number, instant, wholeMs);
      journal.add(cut);
      if (cut.fault !== null) throw new Error(`${describe(cut)}: ${cut.fault}`);
      return describe(cut);
    });
  }
}

/** What the whole row shows, with the cuts of earlier runs. */
export async function rowIsWhole(report: Report, { count, seed, journal }: Row): Promise<void> {
  const cuts = journal.cuts.filter(({ number }) => number <= count);
  const fine = cuts.filter(({ fault }) => fault === null);
  report.number('cuts', `${fine.length} of ${count} came back (seed ${seed})`);
  const boots = fine.map(({ bootMs }) => bootMs).toSorted((a, b) => a - b);
  const laterBootToReadyS = seconds(boots[boots.length >> 1] ?? 0);
  if (boots.length > 0) report.number('laterBootToReadyS', laterBootToReadyS);
  await report.step(`${count} of ${count} cuts came back`, { ms: MINUTE }, async () => {
    const lacking = shortfalls(cuts, count);
    if (lacking.length > 0) throw new Error(lacking.join('\n'));
    within({ laterBootToReadyS }, LOADED);
    return undefined;
  });
}

/** One update and its power cut. An update that fails while there is power is a fault, whatever comes back afterwards. */
export async function cutAt(scene: Scene, number: number, instant: number, wholeMs: number): Promise<Cut> {
  const { board } = scene;
  const before = await settled(board.shell);
  const from = before.current === 'factory' ? scene.releases.factory : before.current;
  const release = await other(scene);
  const to = versionOf(release);
  let end = () => {};
  let failure: string | undefined;
  const tooSoon = new AbortController();
  const onStart = (child: ChildProcess) => {
    end = () => endGroup(child);
  };
  const deploying = deploy(scene, release, ['--again', '--downgrade'], onStart)
    .then(failureOf, reasonOf)
    .then((reason) => {
      failure = reason;
      if (reason !== undefined) tooSoon.abort();
    });
  await sleep(instant * wholeMs, undefined, { signal: tooSoon.signal }).catch(() => undefined);
  const during = await Promise.race([phase(board.shell), sleep(LOOK_MS).then(() => 'unknown')]).catch(
    () => 'unknown',
  );
  const reason = failure;
  await board.cutPower();
  end();
  await deploying;
  const faults = reason === undefined ? [] : [`the update failed before the power went: ${reason}`];
  const boot = { number, instant, from, to, during };
  try {
    await board.on();
    const bootMs = await board.ready(BOOT_MS);
    await board.running(2 * MINUTE);
    const came = (await board.status()).version;
    const fault = await faultAfterCut(scene, [from, to]);
    if (fault !== null) faults.push(fault);
    return { ...boot, came, fault: faults.join('; ') || null, bootMs };
  } catch (error) {
    return { ...boot, came: 'nothing', fault: [...faults, reasonOf(error)].join('; '), bootMs: 0 };
  }
}

/** Why a deploy that has ended did not succeed, or nothing. */
function failureOf({ code, signal, stdout, stderr }: Done): string | undefined {
  if (code === 0) return undefined;
  const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-5).join('\n');
  return `the deploy script ended with ${code ?? signal}: ${said}`;
}

/** The release of the two that is not there now. */
async function other({ board, releases }: Scene): Promise<string> {
  const { current } = await settled(board.shell);
  return current === versionOf(releases.next) ? releases.afterNext : releases.next;
}

function describe({ from, to, during, came, bootMs }: Cut): string {
  return `${from} -> ${to}, ${during}; came back with ${came} after ${seconds(bootMs)} s`;
}
