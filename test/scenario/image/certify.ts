import { output } from '../../image/execute.ts';
import { hashOfInputs } from '../../image/inputs.ts';
import { COMMITS, otherThanHere, partsIn } from '../../image/origin.ts';
import { writeProof } from '../../image/proof.ts';
import { commitOf } from '../../image/releases.ts';
import type { Flags } from './flags.ts';
import type { Scene } from './scene.ts';

/** A whole story that was green. */
export interface Green {
  readonly root: string;
  readonly flags: Flags;
  readonly scene: Scene;
  readonly release: string;
  /** Of the inputs, before anything was booted. */
  readonly hash: string;
  readonly seconds: number;
}

/** Writes the proof of what was booted, where that is what is checked out; otherwise says why there is none. */
export async function certify(green: Green): Promise<void> {
  const { root, scene, hash, seconds } = green;
  const { report, board } = scene;
  const why = await whyNot(green);
  if (why !== undefined) return report.note(`no proof was written: ${why}`);
  const commit = (await output('git', ['-C', root, 'rev-parse', '--short', 'HEAD'])).trim();
  const { passed, numbers } = report;
  const at = new Date().toISOString();
  writeProof(root, { schema: 1, hash, at, commit, boots: board.boots, seconds, passed, numbers });
}

async function whyNot({ root, flags, scene, release, hash }: Green): Promise<string | undefined> {
  if (!flags.isUsual) return 'with --image, --release or --memory something else was booted than is checked';
  const told = await scene.board.shell.run(COMMITS);
  const parts = [
    ...partsIn(told.output),
    { name: 'the release that the others were made of', commit: await commitOf(release) },
  ];
  const other = await otherThanHere(root, parts);
  if (other !== undefined) return other;
  return hashOfInputs(root) === hash ? undefined : 'files have changed while it ran';
}
