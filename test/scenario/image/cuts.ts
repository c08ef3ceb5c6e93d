import { setTimeout as sleep } from 'node:timers/promises';
import { endGroup } from '../../image/execute.ts';
import { type Cut, Journal, type Subject } from '../../image/journal.ts';
import { planOf } from '../../image/plan.ts';
import { versionOf } from '../../image/releases.ts';
import { reasonOf } from '../../image/report.ts';
import { phase, settled } from '../../image/store.ts';
import { seconds } from './first-boot.ts';
import { faultAfterCut } from './power-cuts.ts';
import { BOOT_MS, MINUTE, type Scene, UPDATE_MS } from './scene.ts';
import { deploy } from './updates.ts';

export interface CutsOptions {
  readonly count: number;
  readonly journal: string;
  readonly subject: Subject;
}

/** Cuts that were left to chance: the power goes at any instant of an update, and each time it has to come back. */
export async function cutsByChance(
  scene: Scene,
  { count, journal: file, subject }: CutsOptions,
): Promise<void> {
  const { report } = scene;
  const journal = new Journal(file, subject);
  const plan = planOf(subject.seed, count);
  const done = journal.cuts.length;
  report.note(`     cuts: seed ${subject.seed}, ${Math.min(done, count)} of ${count} done before (${file})`);
  let wholeMs = 0;
  await report.step(
    'a whole update, to know how long one takes',
    { ms: UPDATE_MS, vital: true },
    async () => {
      const release = await other(scene);
      const began = performance.now();
      const { code, stdout, stderr } = await deploy(scene, release, ['--again', '--downgrade']);
      wholeMs = performance.now() - began;
      if (code !== 0) throw new Error(`${stdout}\n${stderr}`);
      report.number('wholeUpdateS', seconds(wholeMs));
      return undefined;
    },
  );
  for (const [index, instant] of plan.entries()) {
    if (index < done) continue;
    const title = `power cut ${index + 1} of ${count}, at ${seconds(instant * wholeMs)} s of an update`;
    await report.step(title, { ms: UPDATE_MS + 2 * BOOT_MS, vital: true }, async () => {
      const cut = await cutAt(scene, index + 1, instant, wholeMs);
      journal.add(cut);
      if (cut.fault !== null) throw new Error(`${describe(cut)}: ${cut.fault}`);
      return describe(cut);
    });
  }
  const fine = journal.cuts.slice(0, count).filter(({ fault }) => fault === null).length;
  report.number('cuts', `${fine} of ${count} came back (seed ${subject.seed})`);
  const boots = journal.cuts.map(({ bootMs }) => bootMs).toSorted((a, b) => a - b);
  report.number('laterBootToReadyS', seconds(boots[boots.length >> 1] ?? 0));
}

async function cutAt(scene: Scene, number: number, instant: number, wholeMs: number): Promise<Cut> {
  const { board } = scene;
  const before = await settled(board.shell);
  const from = before.current === 'factory' ? scene.releases.factory : before.current;
  const release = await other(scene);
  const to = versionOf(release);
  let end = () => {};
  const deploying = deploy(scene, release, ['--again', '--downgrade'], (child) => {
    end = () => endGroup(child);
  }).catch((error: unknown) => error);
  await sleep(instant * wholeMs);
  const during = await Promise.race([phase(board.shell), sleep(500).then(() => 'unknown')]).catch(
    () => 'unknown',
  );
  await board.cutPower();
  end();
  await deploying;
  const boot = { number, instant, from, to, during };
  try {
    await board.on();
    const bootMs = await board.ready(BOOT_MS);
    await board.running(2 * MINUTE);
    const came = (await board.status()).version;
    const fault = await faultAfterCut(scene, [from, to]);
    return { ...boot, came, fault, bootMs };
  } catch (error) {
    return { ...boot, came: 'nothing', fault: reasonOf(error), bootMs: 0 };
  }
}

/** The release of the two that is not there now. */
async function other({ board, releases }: Scene): Promise<string> {
  const { current } = await settled(board.shell);
  return current === versionOf(releases.next) ? releases.afterNext : releases.next;
}

function describe({ from, to, during, came, bootMs }: Cut): string {
  return `${from} -> ${to}, ${during}; came back with ${came} after ${seconds(bootMs)} s`;
}
