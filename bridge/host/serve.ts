import type { Readable, Writable } from 'node:stream';
import type { Random } from '#kernel/backoff.ts';
import type { ChildOptions } from '#kernel/child.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { createCounters } from '../call.ts';
import { Router } from '../router.ts';
import { TaskStore } from '../tasks/store.ts';
import { Host } from './host.ts';
import { Pipes } from './pipes.ts';
import { Questions } from './questions.ts';
import { Target } from './target.ts';

export interface ServeOptions {
  /** The target, started without a shell and ended with us, however we go. */
  readonly child: Pick<ChildOptions, 'command' | 'args' | 'env' | 'cwd'>;
  /** How long a call is waited for before its handle is given, in ms; 0: not at all. */
  readonly waitMs: number;
  readonly input: Readable;
  readonly output: Writable;
  /** Aborts when we are asked to end. */
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly version: string;
}

/** A call waits so long for a target that starts again, and a list for one that starts. */
const HOLD_MS = 5000;

/** Serves one host with one target until the host closes its pipes or we are asked to end; then both are gone. */
export async function serveHost(options: ServeOptions): Promise<void> {
  const { input, output, waitMs, clock, log, stopping, version } = options;
  const counters = createCounters();
  await using pipes = new Pipes({ input, output, tooLong: (head, tail) => host.tooLong(head, tail) });
  const router = new Router({ clock, counters, prefix: 'collide', holdMs: HOLD_MS });
  using store = new TaskStore(clock);
  const questions = new Questions((message) => pipes.send(message));
  await using target = new Target({
    ...options,
    counters,
    router,
    rules: { mode: waitMs === 0 ? 'always' : 'auto', waitMs, tools: {} },
    onNotification: (method, message) => {
      if (method === 'notifications/cancelled') questions.cancelled(message);
      else pipes.tell(message);
    },
    onRequest: (upstream, message, envelope) => questions.ask(upstream, message, envelope),
    onEnded: (upstream, reason) => questions.ended(upstream, reason),
  });
  using host: Host = new Host({ pipes, target, questions, router, store, version });
  const asked = new Promise<void>((resolve) => {
    if (stopping.aborted) resolve();
    else stopping.addEventListener('abort', () => resolve(), { once: true });
  });
  const ending = await Promise.race([host.ended, asked]);
  log.info('stopping', { reason: ending?.reason ?? 'asked to stop' });
}
