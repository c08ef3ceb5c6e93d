import type { Child } from '#kernel/child.ts';
import type { Clock } from '#kernel/clock.ts';
import { errnoOf, Fault, messageOf } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { Ending, Health, Run } from '#kernel/service.ts';
import type { Transport } from '#kernel/transport.ts';
import { Relist } from './relist.ts';
import type { Router } from './router.ts';
import type { Tool } from './tool.ts';
import type { Upstream } from './upstream.ts';

/** What a run lives by: its process, or its session with a server elsewhere. */
export type Peer = Pick<Child, 'ended' | 'kill'> & Partial<Pick<Child, 'pid'>>;

export interface ServerRunOptions {
  readonly name: string;
  readonly peer: Peer;
  readonly transport: Transport;
  readonly upstream: Upstream;
  readonly router: Router;
  readonly clock: Clock;
  readonly log: Log;
  readonly callMs: number;
  readonly pingTimeoutMs: number;
  readonly pingMisses: number;
  readonly readTools: () => Promise<Tool[]>;
  readonly accept: (tools: Tool[]) => void;
}

/** A server that works on a task may be silent so long, in ms; who hangs is still found. */
const TASK_SILENT_MS = 5 * 60_000;

/** One life of a server: its process and pipes, or its session, and what it last proved. */
export class ServerRun implements Run {
  readonly pid?: number;
  readonly ended: Promise<Ending>;
  readonly #options: ServerRunOptions;
  readonly #relist: Relist;
  #misses = 0;

  constructor(options: ServerRunOptions) {
    this.#options = options;
    if (options.peer.pid !== undefined) this.pid = options.peer.pid;
    this.#relist = new Relist(() => this.#readAgain(), options.clock);
    // From its exit on no call goes to this run: what comes before its last words are read waits for the next one.
    void options.peer.ended.then(() => options.router.rest(options.name, options.upstream));
    this.ended = options.transport.ended.then((ending) => {
      this.#relist[Symbol.dispose]();
      options.router.rest(options.name, options.upstream);
      return ending;
    });
  }

  health(): Health {
    const proof = { what: 'answered', at: this.#options.upstream.seenWall };
    if (this.#misses === 0) return { state: 'ready', proof };
    return { state: 'degraded', code: 'SERVER_NO_ANSWER', reason: 'not answering', proof };
  }

  /**
   * MCP ping. An error is an answer too: a server need not know the method. A server that is silent while it works on
   * calls may be single-threaded, so it gets the deadline of a call before it is ended, and longer for a task.
   */
  async probe(): Promise<void> {
    const { upstream, pingTimeoutMs, pingMisses, callMs, peer } = this.#options;
    try {
      await upstream.request('ping', {}, pingTimeoutMs);
      this.#misses = 0;
    } catch (error) {
      if (error instanceof Fault && error.code === 'SERVER_REFUSED') this.#misses = 0;
      else this.#misses++;
    }
    if (this.#misses < pingMisses) return;
    const patience = upstream.running.hasPatient ? Math.max(callMs, TASK_SILENT_MS) : callMs;
    if (upstream.running.size === 0 || upstream.silentMs > patience)
      peer.kill('not answering', 'SERVER_NO_ANSWER');
  }

  listChanged(): void {
    this.#relist.changed();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#options.router.rest(this.#options.name, this.#options.upstream);
    await this.#options.transport[Symbol.asyncDispose]();
    await this.ended;
  }

  async #readAgain(): Promise<void> {
    try {
      this.#options.accept(await this.#options.readTools());
    } catch (error) {
      this.#options.log.warn('tools_not_listed', { reason: messageOf(error), errno: errnoOf(error) });
    }
  }
}
