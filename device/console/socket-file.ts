import { lstat, rm } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import type { Clock } from '#kernel/clock.ts';
import { errnoOf, Fault, messageOf } from '#kernel/fault.ts';

/** A live appliance takes a connection at once; one that does not answer for so long is there all the same. */
const ANSWER_MS = 1000;

/** Removes the socket file of a dead appliance. Throws ALREADY_RUNNING for a live one, PLACE_UNUSABLE for anything else. */
export async function clearStale(path: string, clock: Clock): Promise<void> {
  let isSocket: boolean;
  try {
    isSocket = (await lstat(path)).isSocket();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw unusable(path, error);
  }
  if (!isSocket) throw new Fault('PLACE_UNUSABLE', `${path}: expected a socket or nothing, got another file`);
  if (await answers(path, clock)) throw new Fault('ALREADY_RUNNING', `another appliance listens on ${path}`);
  await rm(path, { force: true });
}

/** Binds the socket, mode 0600 from its first moment. */
export function listenAt(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        errnoOf(error) === 'EADDRINUSE'
          ? new Fault('ALREADY_RUNNING', `another appliance took ${path}`, { cause: error })
          : unusable(path, error),
      ),
    );
    // bind(2) happens within `listen` for a socket file, so the mask covers nothing else.
    const mask = process.umask(0o177);
    try {
      server.listen(path, resolve);
    } finally {
      process.umask(mask);
    }
  });
}

/** What identifies a file: another one of the same name differs in it. `undefined` where there is none. */
export async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined; // gone, or out of reach, which is the same to a client
  }
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
