import { accessSync, constants } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { systemClock } from '#kernel/clock.ts';
import { errnoOf, Fault } from '#kernel/fault.ts';
import type { Environment } from '../config/environment.ts';
import { findPlaces } from '../config/places.ts';
import type { Request } from '../console/request.ts';
import { linesOf } from './text-lines.ts';

/** What the appliance can always say at once; a longer silence means that it is stuck. */
export const QUICK_MS = 5000;
/** For what may take its time: a call, a restart of something slow. The appliance has deadlines of its own below it. */
export const SLOW_MS = 600_000;

/** The last line of an answer. */
export interface Answer {
  readonly [field: string]: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface AskOptions {
  /** How long in ms to wait for the end of the answer; absent where it goes on for as long as the reader likes. */
  readonly deadlineMs?: number;
  /** Gets each log line. */
  readonly onLine?: (line: string) => void;
  /** Gets each sentence of an answer in words. */
  readonly onSentence?: (sentence: string) => void;
}

/**
 * Asks the running appliance. Resolves with the last line of its answer, which may be an error. Throws the Fault
 * NOT_RUNNING where nothing listens, CONTROL_DENIED where it is not ours, CONTROL_SILENT where no answer comes.
 */
export async function ask(
  environment: Environment,
  request: Partial<Request> & Pick<Request, 'verb'>,
  { deadlineMs, onLine, onSentence }: AskOptions = {},
): Promise<Answer> {
  const socket = await dial(findPlaces(environment).sockets);
  using _deadline =
    deadlineMs === undefined ? undefined : systemClock.timer(deadlineMs, () => socket.destroy());
  socket.on('error', () => {}); // the lines end with it
  socket.write(`${JSON.stringify(request)}\n`);
  try {
    for await (const line of linesOf(socket)) {
      const message = JSON.parse(line) as Answer;
      if (message.done === true || message.error) return message;
      if (typeof message.line === 'string') onLine?.(message.line);
      if (typeof message.sentence === 'string') onSentence?.(message.sentence);
    }
  } finally {
    socket.destroy();
  }
  throw new Fault('CONTROL_SILENT', 'the connection ended before an answer came');
}

/**
 * Throws CONTROL_DENIED where an appliance is there that does not let us speak to it: for whoever reads its stdin first,
 * which nobody could read again.
 */
export function expectAdmission(environment: Environment): void {
  for (const path of findPlaces(environment).sockets) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
      return;
    } catch (error) {
      if (isDenied(error)) throw new Fault('CONTROL_DENIED', path, { cause: error });
    }
  }
}

function isDenied(error: unknown): boolean {
  return errnoOf(error) === 'EACCES' || errnoOf(error) === 'EPERM';
}

async function dial(paths: readonly string[]): Promise<Socket> {
  let denied: string | undefined;
  for (const path of paths) {
    const socket = await tryDial(path);
    if (typeof socket === 'object') return socket;
    if (socket === 'denied') denied ??= path;
  }
  if (denied) throw new Fault('CONTROL_DENIED', denied);
  throw new Fault('NOT_RUNNING', '');
}

function tryDial(path: string): Promise<Socket | 'absent' | 'denied'> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error) => {
      resolve(isDenied(error) ? 'denied' : 'absent');
    });
  });
}
