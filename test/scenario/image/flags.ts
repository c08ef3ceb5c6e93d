import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

export interface Flags {
  /** The image to boot: `.img` or `.img.zst`. */
  readonly image: string;
  /** A release for arm64 that the key's signer made; the story's other releases are made of it. */
  readonly release: string | undefined;
  /** The private key that the image trusts. Default as `npm run release` has it. */
  readonly key: string | undefined;
  /** Cuts left to chance. */
  readonly cuts: number;
  /** Only those, without the story. */
  readonly onlyCuts: boolean;
  /** Emulated boards that share the cuts. */
  readonly boards: number;
  readonly seed: number;
  readonly memoryMb: number;
  /** What is checked out is booted as it was built, on the board that it is for. */
  readonly isUsual: boolean;
  /** Says whether a boot run is due (exit code 0) or not (3), and why, and does nothing else. */
  readonly due: boolean;
  /** With `due`: it is, whatever the proof says. */
  readonly full: boolean;
  readonly help: boolean;
}

/** As continuous integration has it. */
const USUAL_CUTS = 3;

export const USAGE = `npm run test:image                       boots build/aivoice.img.zst in an emulator: the whole story, then ${USUAL_CUTS} power cuts
npm run test:image -- --cuts 50          only power cuts, so many in all; goes on where an earlier run of the same seed ended
  --boards N                             with --cuts: so many boards share them, 1 to 4 (default 1; no more than there are cores)
  --seed NUMBER                          when they happen (default 1)
  --image FILE  --release FILE           what is tested (default build/aivoice.img.zst and the release for arm64 in build)
  --key FILE                             the key that signs releases for that image (default as npm run release has it)
  --memory MB                            RAM of the board (default 512)
npm run test:image -- --due [--full]     exit code 0 where a run is due, since its inputs differ from those of proof.json; else 3
exit code otherwise: 0 green, or skipped for want of a program or an image (then it says so; in CI that is 1), 1 not green, 64 wrong usage
KEEP=1 leaves the card and the logs where they are, and says where.
`;

/** Reads the command line; where it is wrong, the sentence that says why. */
export function readFlags(args: readonly string[], root: string): Flags | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        image: { type: 'string' },
        release: { type: 'string' },
        key: { type: 'string' },
        cuts: { type: 'string' },
        boards: { type: 'string' },
        seed: { type: 'string', default: '1' },
        memory: { type: 'string' },
        due: { type: 'boolean', default: false },
        full: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const { image, release, key, memory, due, full, help } = values;
    if (values.boards !== undefined && values.cuts === undefined)
      throw new Error('--boards: only with --cuts, since the story is about one board');
    for (const [flag, file] of Object.entries({ image, release, key })) {
      if (file !== undefined && !existsSync(file)) throw new Error(`--${flag}: there is no ${file}`);
    }
    return {
      image: image ?? `${root}/build/aivoice.img.zst`,
      isUsual: [image, release, memory].every((value) => value === undefined),
      release,
      key,
      due,
      full,
      help,
      cuts: whole('--cuts', values.cuts ?? `${USUAL_CUTS}`, 1, 1000),
      onlyCuts: values.cuts !== undefined,
      boards: whole('--boards', values.boards ?? '1', 1, 4),
      seed: whole('--seed', values.seed, 1, 2_147_483_646),
      memoryMb: whole('--memory', memory ?? '512', 256, 8192),
    };
  } catch (error) {
    return (error as Error).message.split('. ')[0] ?? '';
  }
}

function whole(flag: string, text: string, least: number, most: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Error(`${flag}: expected a whole number from ${least} to ${most}, got ${text}`);
}
