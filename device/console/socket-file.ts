import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, rmSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import type { Clock } from '#kernel/clock.ts';
import { errnoOf, Fault, messageOf } from '#kernel/fault.ts';

/** A live appliance takes a connection at once; one that does not answer for so long is there all the same. */
const ANSWER_MS = 1000;

/** Removes the socket file of a dead appliance. Throws ALREADY_RUNNING for a live one, PLACE_UNUSABLE for anything else. */
export async function clearStale(path: string, clock: Clock): Promise<void> {
  const found = identityOf(path);
  let isSocket: boolean;
  try {
    isSocket = lstatSync(path).isSocket();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw unusable(path, error);
  }
  if (!isSocket) throw new Fault('PLACE_UNUSABLE', `${path}: expected a socket or nothing, got another file`);
  if (await answers(path, clock)) throw new Fault('ALREADY_RUNNING', `another appliance listens on ${path}`);
  if (found !== undefined) removeSocket(path, found);
}

/**
 * Binds the socket, mode 0600 from its first moment, and returns its identity. It listens before it gets its name: who
 * finds the name and no answer has found a dead appliance's, also where two start at one instant. Throws
 * ALREADY_RUNNING where the name is taken.
 */
export async function listenAt(server: Server, path: string): Promise<string> {
  // Node removes the name that it bound, whoever has that name by the time it closes: so it gets one of its own.
  const bound = join(dirname(path), `.${randomBytes(4).toString('hex')}`);
  await listen(server, bound, path);
  try {
    linkSync(bound, path);
    return identityOf(bound) ?? '';
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw unusable(path, error);
    throw new Fault('ALREADY_RUNNING', `another appliance took ${path}`, { cause: error });
  } finally {
    rmSync(bound, { force: true });
  }
}

/** Removes a socket file, but no other one that has come into its place. */
export function removeSocket(path: string, identity: string): void {
  if (identityOf(path) === identity) rmSync(path, { force: true });
}

/** What identifies a file: another one of the same name differs in it. `undefined` where there is none. */
export function identityOf(path: string): string | undefined {
  try {
    const { dev, ino, mtimeMs } = lstatSync(path); // the time too: a number of a removed file is given again
    return `${dev}:${ino}:${mtimeMs}`;
  } catch {
    return undefined; // gone, or out of reach, which is the same to a client
  }
}

function listen(server: Server, bound: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(unusable(path, error)));
    // bind(2) happens within `listen` for a socket file, so the mask covers nothing else.
    const mask = process.umask(0o177);
    try {
      server.listen(bound, resolve);
    } finally {
      process.umask(mask);
    }
  });
}

function answers(path: string, clock: Clock): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const timer = clock.timer(ANSWER_MS, () => finish(() => resolve(true)));
    const finish = (result: () => void) => {
      timer[Symbol.dispose]();
      socket.destroy();
      result();
    };
    socket.once('connect', () => finish(() => resolve(true)));
    socket.once('error', (error) => {
      const errno = errnoOf(error);
      if (errno === 'ECONNREFUSED' || errno === 'ENOENT') finish(() => resolve(false));
      // Its queue of connections is full: somebody owns it.
      else if (errno === 'EAGAIN') finish(() => resolve(true));
      else finish(() => reject(unusable(path, error)));
    });
  });
}

function unusable(path: string, error: unknown): Fault {
  const reason = errnoOf(error) || messageOf(error);
  return new Fault('PLACE_UNUSABLE', `${path}: expected a place for a socket, got ${reason}`, {
    cause: error,
  });
}
