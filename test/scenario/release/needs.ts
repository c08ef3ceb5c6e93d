import { command } from '../prerequisite.ts';

/** For node:test: what making a release needs and this machine lacks, or false. */
export function releaseNeeds(): string | false {
  const lacking = ['git', 'ssh-keygen', 'strip', 'tar'].filter((name) => command(name).skip !== false);
  return lacking.length === 0 ? false : `needs ${lacking.join(', ')}`;
}
