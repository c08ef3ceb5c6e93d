import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, spawnChild } from '#kernel/child.ts';
import { within } from '#kernel/clock.ts';
import { messageOf } from '#kernel/fault.ts';
import type { Context } from '../context.ts';
import { runProgram } from '../program.ts';
import { serviceUser } from '../store/service-user.ts';
import type { Placed } from '../store/store.ts';
import { CommandLine } from './appliance-line.ts';
import type { Failure } from './gate.ts';
import { ailment, type Status } from './health.ts';
import { makePlace } from './trial-place.ts';

/** A Zero 2 W takes some 20 s for a first start without compiled code. */
const READY_MS = 90_000;
const STOP_MS = 15_000;
const INSTALLER_MS = 30_000;
const LOOK_MS = 300;

/** These tell nothing without a sound card and a cloud. */
const MUTE = ['voice', 'speaker', 'microphone'].map((name) => ({ name, state: 'stopped' }));

/**
 * Runs a release once before it is switched to, as the user of the service, beside the one that runs and without its
 * settings, sound, terminal, cloud or servers, which would be too much for the memory of a small board: what it compiles
 * is kept, so that the real start is as quick as any, and what cannot even start is found out while the old one still
 * answers. Its installer is tried too: a release without a working one could never be updated again. `before` is how the
 * running appliance is. Resolves with why it is no good, or `undefined`.
 */
export async function tryOut(
  context: Context,
  release: Placed,
  before: Status | undefined,
): Promise<Failure | undefined> {
  const { store, clock } = context;
  const { root } = store.places;
  const env = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ...(root === '/' ? {} : { AIVOICE_ROOT: root }) };
  const installer = join(release.folder, 'bin', 'aivoice-install');
  const { code } = await runProgram({
    file: installer,
    args: ['releases', '--json'],
    env,
    ms: INSTALLER_MS,
    clock,
  });
  if (code !== 0) return { check: 'start', reason: 'its installer does not start' };
  const folder = mkdtempSync(join(store.places.staging, 'trial-'));
  try {
    return await startOnce(context, release, {
      folder,
      speaks: before?.parts.some(({ name }) => name === 'voice') === true,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Trial {
  readonly folder: string;
  /** The running appliance has a voice. */
  readonly speaks: boolean;
}

async function startOnce(
  context: Context,
  release: Placed,
  { folder, speaks }: Trial,
): Promise<Failure | undefined> {
  const { store, clock, isRoot } = context;
  const user = isRoot ? serviceUser(store.places.passwd) : undefined;
  const own = makePlace(folder, { cache: store.places.cache, speaks, user });
  const program = [join(release.folder, 'bin', 'aivoice'), 'run', '--config', join(folder, 'appliance.toml')];
  // setpriv (util-linux) also gives the groups of the user, which a bare setuid would not.
  const drop = user && ['/usr/bin/setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--init-groups'];
  const [command = '', ...args] = [...(drop ?? []), ...program];
  let child: Child;
  try {
    child = await spawnChild({
      command,
      args,
      env: own,
      cwd: '/',
      guarded: true,
      eofMs: 0,
      termMs: STOP_MS,
      clock,
    });
  } catch (error) {
    return { check: 'start', reason: messageOf(error) };
  }
  await using running = child;
  running.stdout.resume();
  const said = lastLine(running.stderr);
  const ended = running.ended.then(({ reason }) => reason);
  const line = new CommandLine({ root: store.places.root, runtime: own.RUNTIME_DIRECTORY }, clock, own);
  const deadline = clock.now() + READY_MS;
  let reason = 'it did not become ready';
  do {
    const status = await line.status(release.folder);
    const amiss = status && ailment(status, release.version, { version: '', parts: MUTE });
    if (status && amiss === undefined) return undefined;
    reason = amiss ?? reason;
    const end = await within(clock, LOOK_MS, ended);
    if (end !== undefined) return { check: 'start', reason: `${end}: ${said()}`.slice(0, 300) };
  } while (clock.now() < deadline);
  return { check: 'start', reason };
}

function lastLine(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-2000);
  });
  return () => text.trim().split('\n').at(-1) ?? '';
}
