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
import { Board } from '../../image/board.ts';
import { Disk } from '../../image/disk.ts';
import { output } from '../../image/execute.ts';
import { openHouse } from '../../image/house.ts';
import { hashOfInputs } from '../../image/inputs.ts';
import { Owner } from '../../image/owner.ts';
import { writeProof } from '../../image/proof.ts';
import { later, nameOfRelease, variant, versionOf } from '../../image/releases.ts';
import { Hopeless, Report } from '../../image/report.ts';
import { copiedCard } from './copied-card.ts';
import { cutsByChance } from './cuts.ts';
import { firstBoot } from './first-boot.ts';
import type { Flags } from './flags.ts';
import { hands } from './hands.ts';
import { memory } from './memory.ts';
import { powerCuts } from './power-cuts.ts';
import { askedBySound } from './question.ts';
import type { Releases, Scene } from './scene.ts';
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
  const releases = await makeReleases(release, key, folder);
  const disk = await Disk.write(flags.image, join(folder, 'card.img'));
  const house = made.use(await openHouse());
  const owner = await Owner.withKey(folder, house.sshPort);
  const board = made.use(new Board({ disk, house, folder, memoryMb: flags.memoryMb }));
  const wishes = {
    name: 'aivoice-bench',
    sshKey: owner.publicKey,
    endpoint: house.endpoint,
    voice: { url: house.voiceUrl, token: house.voice.token },
    wifi: { ssid: '台所 2.4', password: 'correct horse battery' },
  };
  const scene: Scene = { report, board, house, owner, wishes, folder, releases };
  const subject = { seed: flags.seed, image: await sumOf(flags.image), release: await sumOf(release) };
  const cuts = { count: flags.cuts, subject, journal: journalIn(root, flags) };
  try {
    await firstBoot(scene);
    if (!flags.onlyCuts) await wholeStory(scene);
    await cutsByChance(scene, cuts);
    if (!flags.onlyCuts) await copiedCard(scene);
  } catch (error) {
    if (!(error instanceof Hopeless)) throw error;
    report.note('what follows was not tried');
  }
  report.end();
  const isGreen = report.failed === 0;
  if (isGreen && !flags.onlyCuts) {
    const commit = (await output('git', ['-C', root, 'rev-parse', '--short', 'HEAD'])).trim();
    const seconds = Math.round((performance.now() - began) / 1000);
    const { passed, numbers } = report;
    const at = new Date().toISOString();
    writeProof(root, { schema: 1, hash, at, commit, boots: board.boots, seconds, passed, numbers });
  }
  return isGreen;
}

async function wholeStory(scene: Scene): Promise<void> {
  await memory(scene);
  await hands(scene);
  await askedBySound(scene);
  await updates(scene);
  await fleet(scene);
  await powerCuts(scene);
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
