import type { Socket } from 'node:net';
import { type Clock, within } from '#kernel/clock.ts';
import { Fault, messageOf } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import { type ControlHandlers, parseRequest, type Request } from './request.ts';

/** A call's arguments may be as long as a line of a server (4 MiB), and need some room around them. */
const MAX_REQUEST = 5 * 1024 * 1024;

/** How long in ms a client that was refused may take to notice. */
const REFUSE_MS = 1000;

/** How long in ms a typed question may take to be answered to its end. */
const SAY_MS = 120_000;

export interface ConversationOptions {
  readonly handlers: ControlHandlers;
  readonly clock: Clock;
  readonly log: Log;
  /** How long in ms a client may take to send its request, and to take the answer. */
  readonly idleMs: number;
  /** Aborts when the console ends: calls are cancelled, and who follows the log gets its last lines. */
  readonly stopping: AbortSignal;
}

/**
 * One client: one request line in, answer lines out, the last of which has `done` or `error`. A client that closes
 * its side has left: its call is cancelled. Never rejects; the socket is closed at the end.
 */
export async function converse(socket: Socket, options: ConversationOptions): Promise<void> {
  const { clock, log, idleMs, stopping } = options;
  const gone = new AbortController();
  const leave = () => gone.abort();
  socket.once('close', leave);
  stopping.addEventListener('abort', leave);
  socket.on('error', () => {}); // a client that left is no fault; `close` follows
  try {
    const line = await readLine(socket, clock, idleMs);
    if (line !== undefined) await answer(socket, parseRequest(line), options, gone.signal);
  } catch (error) {
    const fault = error instanceof Fault ? error : new Fault('INTERNAL', messageOf(error), { cause: error });
    if (fault.code === 'INTERNAL') log.error('control_failed', { error });
    write(socket, { error: { code: fault.code, message: fault.message } });
  }
  stopping.removeEventListener('abort', leave);
  await finish(socket, clock, idleMs);
}

/** Refuses a client without reading what it wants. */
export async function refuse(socket: Socket, clock: Clock, fault: Fault): Promise<void> {
  socket.on('error', () => {});
  write(socket, { error: { code: fault.code, message: fault.message } });
  await finish(socket, clock, REFUSE_MS);
}

/** Closes our side, then waits for the client's: closing both with something unread would cost it the answer. */
async function finish(socket: Socket, clock: Clock, ms: number): Promise<void> {
  const closed = new Promise<true>((resolve) => {
    if (socket.closed) resolve(true);
    socket.once('close', () => resolve(true));
  });
  socket.resume().end();
  if (!(await within(clock, ms, closed))) socket.destroy();
}

/** The first line; `undefined` where the client leaves before its end. What follows the line is thrown away. */
function readLine(socket: Socket, clock: Clock, idleMs: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = clock.timer(idleMs, () => settle(() => reject(new Fault('USAGE', 'no request came'))));
    const settle = (result: () => void) => {
      timer[Symbol.dispose]();
      socket.off('data', take).off('close', leave);
      socket.resume(); // a socket that is not read does not tell that its client has left
      result();
    };
    const leave = () => settle(() => resolve(undefined));
    const take = (chunk: Buffer) => {
      const end = chunk.indexOf(0x0a);
      chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
      size += chunk.length;
      if (size > MAX_REQUEST) {
        settle(() => reject(new Fault('TOO_LARGE', `expected ${MAX_REQUEST} bytes at most`)));
      } else if (end >= 0) {
        settle(() => resolve(Buffer.concat(chunks).toString()));
      }
    };
    socket.on('data', take).once('close', leave);
  });
}

async function answer(
  socket: Socket,
  request: Request,
  { handlers, clock }: ConversationOptions,
  gone: AbortSignal,
): Promise<void> {
  switch (request.verb) {
    case 'status':
      return write(socket, { done: true, status: handlers.status() });
    case 'tools':
      return write(socket, { done: true, tools: handlers.tools() });
    case 'reload':
      return write(socket, { done: true, report: await handlers.reload() });
    case 'restart':
      return write(socket, { done: true, report: await handlers.restart(request.name) });
    case 'call': {
      const outcome = await handlers.call(request.tool, request.arguments, gone);
      return write(socket, 'error' in outcome ? outcome : { done: true, result: outcome.result });
    }
    case 'say':
      return sendSentences(socket, request.text, handlers, clock, gone);
    case 'logs':
      return sendLogs(socket, request, handlers, gone);
  }
}

/** Sentences as they come, then all of them. An answer that does not end in time has its turn ended, and says so. */
async function sendSentences(
  socket: Socket,
  text: string,
  handlers: ControlHandlers,
  clock: Clock,
  gone: AbortSignal,
): Promise<void> {
  const late = new AbortController();
  const signal = AbortSignal.any([gone, late.signal]);
  const onSentence = (sentence: string) => {
    if (!signal.aborted) write(socket, { sentence });
  };
  const answer = await within(clock, SAY_MS, handlers.say(text, onSentence, signal));
  if (answer) return write(socket, { done: true, sentences: answer.sentences });
  late.abort();
  throw new Fault('VOICE_SILENT', `the answer did not end within ${SAY_MS / 1000} s`);
}

async function sendLogs(
  socket: Socket,
  { name, lines, follow }: Extract<Request, { verb: 'logs' }>,
  { logs }: ControlHandlers,
  gone: AbortSignal,
): Promise<void> {
  // Followed before the past is read: no line falls between the two, since nothing runs in between.
  using follower = follow ? logs.follow(name) : undefined;
  await writeLines(socket, logs.tail(lines, name));
  while (follower && !gone.aborted) await writeLines(socket, await follower.next(gone));
  write(socket, { done: true });
}

/** Waits until they are on their way, so that a slow reader fills its follower and not our memory. */
function writeLines(socket: Socket, lines: readonly string[]): Promise<void> {
  if (lines.length === 0 || !socket.writable) return Promise.resolve();
  const text = lines.map((line) => `${JSON.stringify({ line })}\n`).join('');
  return new Promise((resolve) => socket.write(text, () => resolve()));
}

function write(socket: Socket, message: object): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}
