import { type Child, type ChildOptions, spawnChild } from '#kernel/child.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { RestartPolicy, Run, Service } from '#kernel/service.ts';
import type { Counters } from './call.ts';
import { REVISIONS } from './jsonrpc.ts';
import type { KnownTools } from './known.ts';
import { listTools } from './listing.ts';
import type { Router } from './router.ts';
import { ServerRun } from './server-run.ts';
import { logStderr } from './stderr.ts';
import { StdioTransport } from './stdio.ts';
import type { Tool } from './tool.ts';
import { Upstream } from './upstream.ts';

export interface ServerOptions {
  /** The key of the server in the settings. */
  readonly name: string;
  readonly child: Omit<ChildOptions, 'clock'>;
  /** Why the settings of this server cannot work, where they cannot. */
  readonly fault?: Fault;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly router: Router;
  readonly counters: Counters;
  readonly known?: KnownTools;
  readonly restart: RestartPolicy;
  readonly callMs: number;
  readonly startMs: number;
  readonly pingMs: number;
  readonly pingTimeoutMs: number;
  readonly pingMisses: number;
}

/** A server behind a child's pipes, as a service: a run is ready when it has answered its handshake and its list. */
export function serverService(options: ServerOptions): Service {
  const { name, router, known, restart, startMs, pingMs } = options;
  router.declare(name, options.fault ? [] : known?.read());
  return {
    name,
    kind: 'server',
    essential: false,
    restart,
    startMs,
    stopMs: (options.child.eofMs ?? 1000) + (options.child.termMs ?? 1000) + 1000,
    probeMs: pingMs,
    start: (signal) => start(options, signal),
  };
}

async function start(options: ServerOptions, signal: AbortSignal): Promise<Run> {
  const { clock, log } = options;
  if (options.fault) throw options.fault;
  // One turn of the loop later: at the start of the appliance the dial goes out first, and its round trips pass meanwhile.
  await new Promise(setImmediate);
  const child = await spawnChild({ ...options.child, clock });
  logStderr(child.stderr, log, clock);
  try {
    return await greet(options, child, signal);
  } catch (error) {
    await child[Symbol.asyncDispose]();
    throw error;
  }
}

async function greet(options: ServerOptions, child: Child, signal: AbortSignal): Promise<Run> {
  const { name, router, clock, log, counters, callMs, known } = options;
  const transport = new StdioTransport(child, clock, {
    tooLong: (head, tail) => upstream.lineTooLong(head, tail),
  });
  let run: ServerRun | undefined;
  let changedEarly = false;
  const upstream = new Upstream({
    server: name,
    transport,
    clock,
    log,
    counters,
    callMs,
    onNotification: (method) => {
      if (method !== 'notifications/tools/list_changed') return;
      if (run) run.listChanged();
      else changedEarly = true;
    },
  });
  const given = { signal, ended: transport.ended };
  await unless(given, upstream.request('initialize', hello(options.version), options.startMs));
  upstream.notify('notifications/initialized');
  const readTools = () => listTools(upstream, clock, log);
  const tools = await unless(given, readTools());
  const accept = (list: Tool[]) => {
    router.update(name, list);
    const errno = known?.write(list);
    if (errno) log.warn('known_tools_not_written', { errno });
  };
  run = new ServerRun({ ...options, child, transport, upstream, readTools, accept });
  router.serve(name, upstream, tools);
  accept(tools);
  // It may have come behind the list, before there was a run to tell.
  if (changedEarly) run.listChanged();
  return run;
}

function hello(version: string): object {
  return { protocolVersion: REVISIONS[0], capabilities: {}, clientInfo: { name: 'aivoice-edge', version } };
}

/** `work`, but rejects as soon as the child is gone or the start is given up. */
async function unless<T>(
  given: { signal: AbortSignal; ended: Promise<{ reason: string }> },
  work: Promise<T>,
): Promise<T> {
  work.catch(() => {}); // when something else came first, nobody waits for it any more
  const gone = given.ended.then(({ reason }) => {
    throw new Fault('SERVER_EXITED', reason);
  });
  gone.catch(() => {});
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(new Fault('SERVER_TIMEOUT', 'no answer to its handshake'));
    if (given.signal.aborted) abort();
    given.signal.addEventListener('abort', abort, { once: true });
  });
  aborted.catch(() => {});
  return Promise.race([work, gone, aborted]);
}
