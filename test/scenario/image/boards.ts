import { Hopeless, type Report } from '../../image/report.ts';

interface Reporting {
  readonly report: Report;
}

/**
 * Several boards at one work. Each is made ready once, one after the other, since a first boot has little time on few cores;
 * those before it are at work by then. A board that has failed drops out, and the others do what is left.
 */
export async function onBoards<Scene extends Reporting>(
  scenes: readonly Scene[],
  makeReady: (scene: Scene) => Promise<void>,
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  let before: Promise<unknown> = Promise.resolve();
  const all = scenes.map((scene) => {
    const ready = before.then(() => makeReady(scene));
    before = ready.catch(() => undefined);
    return untilHopeless(scene.report, () => ready.then(() => work(scene)));
  });
  await Promise.all(all);
}

export async function untilHopeless(report: Report, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Hopeless)) throw error;
    report.note('what follows was not tried');
  }
}
