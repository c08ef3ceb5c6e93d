import { existsSync } from 'node:fs';
import type { Prerequisite } from '../prerequisite.ts';
import { command } from '../prerequisite.ts';
import { SSHD } from './ssh-host.ts';

/** A real SSH server and its client; `path` is the server. */
export function sshd(): Prerequisite {
  const lacking = ['ssh', 'ssh-keygen'].filter((name) => command(name).skip !== false);
  if (!existsSync(SSHD)) lacking.push(SSHD);
  const skip = lacking.length === 0 ? false : `needs openssh-server: no ${lacking.join(', no ')}`;
  return { path: SSHD, skip };
}
