import { execute } from './execute.ts';
import { productFiles } from './inputs.ts';

/** Where a part of what was booted comes from. */
export interface Part {
  readonly name: string;
  /** As it says itself, `-dirty` behind it where it was made of files that no commit has. */
  readonly commit: string;
}

/** In the board: of the image, and of the factory release in it. */
export const COMMITS = `grep -ohE '"commit": *"[^"]*"' /opt/aivoice/image.json /opt/aivoice/factory/manifest.json`;

export function partsIn(told: string): readonly Part[] {
  const [image = '', factory = ''] = [...told.matchAll(/"commit": *"([^"]*)"/g)].map(([, commit]) => commit);
  return [
    { name: 'the image', commit: image },
    { name: 'its factory release', commit: factory },
  ];
}

/** Why a boot of these parts says nothing of the files that are checked out, or nothing. */
export async function otherThanHere(root: string, parts: readonly Part[]): Promise<string | undefined> {
  const git = (...args: readonly string[]) =>
    execute('git', ['-C', root, '--no-optional-locks', ...args, '--', 'deploy', ...productFiles(root)]);
  const untracked = await git('ls-files', '--others', '--exclude-standard');
  if (untracked.stdout.trim() !== '') return `no commit has ${shown(untracked.stdout)}`;
  for (const { name, commit } of parts) {
    if (!/^[0-9a-f]{40}$/.test(commit)) return `${name} is of ${commit || 'no known commit'}`;
    const changed = await git('diff', '--name-only', commit);
    if (changed.code !== 0) return `${name} is of ${commit}, which is not known here`;
    if (changed.stdout.trim() !== '')
      return `${name} is of ${commit.slice(0, 12)}, since when ${shown(changed.stdout)} changed`;
  }
  return undefined;
}

function shown(names: string): string {
  const [first, ...others] = names.trim().split('\n');
  return others.length === 0 ? `${first}` : `${first} and ${others.length} more`;
}
