import { join } from 'node:path';
import { run } from './program.ts';
import { Refusal } from './refusal.ts';

/** The folder of the product's source. */
export const CHECKOUT = join(import.meta.dirname, '..', '..');

/** Where a release comes from: it says so of itself, and takes all its times from there. */
export interface Origin {
  /** 40 hex digits, with `-dirty` after them where files differ from that commit. */
  readonly commit: string;
  /** Time of the commit, seconds since 1970. */
  readonly time: number;
}

/** Throws a Refusal where files differ from the commit (new ones count), unless `dirty` allows it. */
export function originOf({ dirty }: { readonly dirty: boolean }): Origin {
  const git = (...args: readonly string[]) => run('git', args, { cwd: CHECKOUT }).trim();
  const [commit = '', seconds] = git('log', '-1', '--format=%H %ct').split(' ');
  const time = Number(seconds);
  const changed = git('status', '--porcelain').split('\n').filter(Boolean);
  if (changed.length === 0) return { commit, time };
  if (!dirty) {
    throw new Refusal('FILES_DIFFER', `git status: ${changed.length}`);
  }
  return { commit: `${commit}-dirty`, time };
}

/** A time as Node has it. */
export function dateOf(seconds: number) {
  // biome-ignore lint/style/noRestrictedGlobals: what a commit says of itself, not what time it is.
  return new Date(seconds * 1000);
}
