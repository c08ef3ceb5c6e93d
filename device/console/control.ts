import { createServer, type Server, type Socket } from 'node:net';
import { type Clock, within } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { Ending, Health, Proof, Run, Service } from '#kernel/service.ts';
import { converse, refuse } from './conversation.ts';
import type { ControlHandlers } from './request.ts';
import { clearStale, identityOf, listenAt, removeSocket } from './socket-file.ts';

export interface ControlOptions {
  /** Where to listen. */
  readonly path: string;
  /** Sees to it that the folder is there and is ours: a cleaner of temporary files takes folders away as well. */
  readonly makeFolder?: () => void;
  readonly handlers: ControlHandlers;
  readonly clock: Clock;
  readonly log: Log;
  /** How long in ms a client may take to send its request, and to take its answer. Default 10,000. */
  readonly idleMs?: number;
}

/** Enough for people and scripts; a program that forgets to close its connections stops here. */
const MAX_CLIENTS = 16;
/** What readers of the log may take to get its end, and then what closing may take. */
const FAREWELL_MS = 200;
const CLOSE_MS = 1000;

/**
 * ControlServer: what the command line talks to, a Unix socket that only its owner can open. One request a
 * connection, as a JSON line; see `Request`. It is essential, and so the check for a second appliance in the same
 * place: ALREADY_RUNNING ends that one before it dials the cloud, also where both start at the same instant.
 */
export class ControlServer implements Service {
  readonly name = 'control';
  readonly kind = 'console';
  readonly essential = true;
  readonly restart = { settleMs: 5000, firstMs: 500, maxMs: 10_000, maxRestarts: 5, windowMs: 60_000 };
  readonly startMs = 5000;
  readonly probeMs = 5000;
  readonly #options: ControlOptions;

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  async start(): Promise<Run> {
    const { path, makeFolder, clock } = this.#options;
    makeFolder?.();
    await clearStale(path, clock);
    const run = new ControlRun(this.#options);
    try {
      await run.listen();
      return run;
    } catch (error) {
      await run[Symbol.asyncDispose]();
      throw error;
    }
  }
}

class ControlRun implements Run {
  readonly ended: Promise<Ending>;
  readonly #options: ControlOptions;
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  readonly #stop = new AbortController();
  #end: (ending: Ending) => void = () => {};
  #identity: string | undefined;
  #proof: Proof | undefined;

  constructor(options: ControlOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#welcome(socket));
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async listen(): Promise<void> {
    const { path } = this.#options;
    this.#identity = await listenAt(this.#server, path);
    this.#server.on('error', (error) => this.#end({ asked: false, code: 'INTERNAL', reason: error.message }));
    // Nothing is started behind us before this is known.
    if (!this.#look()) throw new Fault('ALREADY_RUNNING', `another appliance took ${path}`);
  }

  health(): Health {
    const state = this.#server.listening ? 'ready' : 'degraded';
    return { state, ...(this.#proof && { proof: this.#proof }) };
  }

  /** A cleaner of temporary files may take the socket away: then nobody reaches us, and we bind a new one. */
  async probe(): Promise<void> {
    const reason = `${this.#options.path} is gone`;
    if (!this.#look()) this.#end({ asked: false, code: 'PLACE_UNUSABLE', reason });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { path, clock } = this.#options;
    if (this.#identity !== undefined) removeSocket(path, this.#identity);
    const closed = new Promise<true>((resolve) => this.#server.close(() => resolve(true)));
    this.#stop.abort();
    if (!(await within(clock, FAREWELL_MS, closed))) {
      for (const client of this.#clients) client.destroy();
      await within(clock, CLOSE_MS, closed);
    }
    this.#end({ asked: true, reason: 'stopped' });
  }

  /** Whether our socket is in its place. */
  #look(): boolean {
    const { path, clock } = this.#options;
    if (identityOf(path) !== this.#identity) return false;
    this.#proof = { what: 'socket in its place', at: clock.wall() };
    return true;
  }

  #welcome(socket: Socket): void {
    const { handlers, clock, log, idleMs = 10_000 } = this.#options;
    if (this.#clients.size >= MAX_CLIENTS) {
      void refuse(socket, clock, new Fault('CONTROL_BUSY', `expected ${MAX_CLIENTS} clients at most`));
      return;
    }
    this.#clients.add(socket);
    socket.once('close', () => this.#clients.delete(socket));
    void converse(socket, { handlers, clock, log, idleMs, stopping: this.#stop.signal });
  }
}
