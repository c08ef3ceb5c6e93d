import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOfInputs } from '../../image/inputs.ts';
import { later, nameOfRelease, variant, versionOf } from '../../image/releases.ts';
import { Report } from '../../image/report.ts';
import { onBoards, untilHopeless } from './boards.ts';
import { certify } from './certify.ts';
import { copiedCard } from './copied-card.ts';
import { cutsByChance, openRow, type Row, rowIsWhole } from './cuts.ts';
import { firstBoot } from './first-boot.ts';
import type { Flags } from './flags.ts';
import { hands } from './hands.ts';
import { memory } from './memory.ts';
import { openScene } from './open-scene.ts';
import { powerCuts } from './power-cuts.ts';
import { askedBySound } from './question.ts';
import type { Releases, Scene } from './scene.ts';
import { type Files, sizes } from './sizes.ts';
import { fleet, updates } from './updates.ts';

const WRONG = join(import.meta.dirname, '..', '..', 'fixtures', 'wrong-calculator.cjs');

/** Runs what the flags ask for; true where all of it is green. */
export async function runStory(flags: Flags, root: string): Promise<boolean> {
  const began = performance.now();
  const report = new Report(process.stdout);
  await using made = new AsyncDisposableStack();
  const folder = scratch(made);
  const hash = hashOfInputs(root);
  const { release, key } = found(flags, root);
  const subject = { seed: flags.seed, image: await sumOf(flags.image), release: await sumOf(release) };
  const file = journalIn(root, flags);
  const row = openRow(file, subject, flags.cuts);
  const unmade = row.journal.missing(flags.cuts).length;
  report.note(
    `     cuts: seed ${subject.seed}, ${flags.cuts - unmade} of ${flags.cuts} made before (${file})`,
  );
  const releases = await makeReleases(release, key, folder);
  const open = (number: number, named: Report) =>
    openScene({ made, flags, releases, report: named, folder: join(folder, `board-${number}`) });
  if (flags.onlyCuts) {
    const boards = Math.min(flags.boards, unmade);
    const scenes: Scene[] = [];
    for (let number = 1; number <= boards; number++) {
      scenes.push(await open(number, boards === 1 ? report : report.of(`board ${number}`)));
    }
    await onBoards(scenes, firstBoot, (scene) => cutsByChance(scene, row));
    await rowIsWhole(report, row);
    report.end();
    return report.failed === 0;
  }
  const scene = await open(1, report);
  await untilHopeless(report, () => wholeStory(scene, row, { image: flags.image, release }));
  report.end();
  const isGreen = report.failed === 0;
  const seconds = Math.round((performance.now() - began) / 1000);
  if (isGreen) await certify({ root, flags, scene, release, hash, seconds });
  return isGreen;
}

async function wholeStory(scene: Scene, row: Row, files: Files): Promise<void> {
  await sizes(scene, files);
  await firstBoot(scene);
  await memory(scene);
  await hands(scene);
  await askedBySound(scene);
  await updates(scene);
  await fleet(scene);
  await powerCuts(scene);
  await cutsByChance(scene, row);
  await rowIsWhole(scene.report, row);
  await copiedCard(scene);
}

/** A folder for all that this run writes; with KEEP=1 it stays. */
function scratch(made: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-image-'));
  made.defer(() => {
    if (process.env.KEEP) process.stderr.write(`kept: ${folder}\n`);
    else rmSync(folder, { recursive: true, force: true });
  });
  process.once('exit', () => {
    if (!process.env.KEEP) rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** The release that the others are made of, and the key that signs them. */
function found(flags: Flags, root: string): { readonly release: string; readonly key: string } {
  const built = globSync(join(root, 'build', 'aivoice-*-arm64.tar.zst'));
  const [newest] = built.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  const release = flags.release ?? newest;
  if (release === undefined) throw new Error('expected a release for arm64 in build: npm run release');
  const key =
    flags.key ?? process.env.AIVOICE_RELEASE_KEY ?? join(homedir(), '.config', 'aivoice', 'release-key');
  if (!existsSync(key)) throw new Error(`expected the key that signs releases at ${key}: --key FILE`);
  return { release, key };
}

async function makeReleases(release: string, key: string, folder: string): Promise<Releases> {
  const factory = versionOf(release);
  const make = (steps: number, files?: Readonly<Record<string, string>>) => {
    const version = later(factory, steps);
    return variant(release, nameOfRelease(folder, version), key, { version, ...(files ? { files } : {}) });
  };
  return {
    factory,
    next: await make(1),
    afterNext: await make(2),
    dead: await make(3, { 'dist/servers/calculator.js': 'process.exit(3);\n' }),
    wrong: await make(4, { 'dist/servers/calculator.js': readFileSync(WRONG, 'utf8') }),
  };
}

function journalIn(root: string, { onlyCuts, seed }: Flags): string {
  const folder = join(root, 'build');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `image-cuts-${seed}.json`);
  if (!onlyCuts) rmSync(file, { force: true }); // a story's cuts belong to that story
  return file;
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(file)) hash.update(part as Buffer);
  return hash.digest('hex');
}
