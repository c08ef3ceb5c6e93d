import { type ChildOptions, spawnChild } from '#kernel/child.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import { MAX_START_MS, type RestartPolicy, type Run, type Service } from '#kernel/service.ts';
import type { Transport } from '#kernel/transport.ts';
import type { Counters } from './call.ts';
import { type ToolChoice, unknownNames } from './choice.ts';
import { REVISIONS } from './jsonrpc.ts';
import type { KnownTools } from './known.ts';
import { listTools } from './listing.ts';
import type { RemoteSettings } from './remote-settings.ts';
import type { Router } from './router.ts';
import { type Peer, ServerRun } from './server-run.ts';
import { logStderr } from './stderr.ts';
import { StdioTransport } from './stdio.ts';
import { type AsyncRules, allowsTasks, MAX_RUN_MS } from './tasks/rules.ts';
import type { Tool } from './tool.ts';
import { Upstream } from './upstream.ts';

export interface ServerOptions {
  /** The key of the server in the settings. */
  readonly name: string;
  /** The program to start, or where the server is. */
  readonly child?: Omit<ChildOptions, 'clock'>;
  readonly remote?: RemoteSettings;
  /** Why the settings of this server cannot work, where they cannot. */
  readonly fault?: Fault;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly router: Router;
  readonly counters: Counters;
  readonly known?: KnownTools;
  /** Which of its tools are offered, and as what. Default all. */
  readonly tools?: ToolChoice;
  /** How its calls become tasks. Default never. */
  readonly rules?: AsyncRules;
  readonly restart: RestartPolicy;
  readonly callMs: number;
  readonly startMs: number;
  readonly pingMs: number;
  readonly pingTimeoutMs: number;
  readonly pingMisses: number;
}

/** A server behind a child's pipes or elsewhere, as a service: a run is ready when it has answered its handshake and its list. */
export function serverService(options: ServerOptions): Service {
  const { name, router, known, restart, startMs, pingMs } = options;
  router.declare(name, options.fault ? [] : known?.read(), options.rules);
  if (options.tools) router.choose(name, options.tools);
  return {
    name,
    kind: 'server',
    essential: false,
    restart,
    startMs,
    stopMs: (options.child?.eofMs ?? 1000) + (options.child?.termMs ?? 1000) + 1000,
    probeMs: pingMs,
    start: (signal) => start(options, signal),
  };
}

async function start(options: ServerOptions, signal: AbortSignal): Promise<Run> {
  if (options.fault) throw options.fault;
  // One turn of the loop later: at the start of the appliance the dial goes out first, and its round trips pass meanwhile.
  await new Promise(setImmediate);
  return options.remote ? startRemote(options, options.remote, signal) : startChild(options, signal);
}

async function startChild(options: ServerOptions, signal: AbortSignal): Promise<Run> {
  const { clock, log } = options;
  const child = await spawnChild({ ...options.child!, clock });
  logStderr(child.stderr, log, clock);
  let upstream: Upstream | undefined;
  const transport = new StdioTransport(child, clock, {
    tooLong: (head, tail) => upstream?.lineTooLong(head, tail),
  });
  try {
    return await greet(options, { transport, peer: child, onUpstream: (made) => (upstream = made) }, signal);
  } catch (error) {
    await child[Symbol.asyncDispose]();
    throw error;
  }
}

/** Whoever calls while there is no session is told why at once: nobody knows when the server will be back. */
async function startRemote(
  options: ServerOptions,
  remote: RemoteSettings,
  signal: AbortSignal,
): Promise<Run> {
  const { name, router, clock, callMs, rules } = options;
  const taskMs = rules && allowsTasks(rules) ? MAX_RUN_MS : 0;
  // Only now the library: an appliance whose servers are all its own never loads it.
  const { RemoteTransport } = await import('./remote.ts');
  const transport = new RemoteTransport({ ...remote, server: name, clock, callMs, taskMs });
  void transport.ended.then(({ asked, code, reason }) => {
    // A session that the server forgot is made anew at once: calls wait for that.
    if (!asked && code !== 'REMOTE_EXPIRED') router.refuse(name, { code: code ?? 'SERVER_DOWN', reason });
  });
  try {
    return await greet(options, { transport, peer: transport }, signal);
  } catch (error) {
    const fault = transport.fault ?? error;
    await transport[Symbol.asyncDispose]();
    if (fault instanceof Fault) router.refuse(name, { code: fault.code, reason: fault.message });
    throw fault;
  }
}

interface Reached {
  readonly transport: Transport;
  readonly peer: Peer;
  readonly onUpstream?: (upstream: Upstream) => void;
}

async function greet(
  options: ServerOptions,
  { transport, peer, onUpstream }: Reached,
  signal: AbortSignal,
): Promise<Run> {
  const { name, router, clock, log, counters, callMs, known } = options;
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
  onUpstream?.(upstream);
  const given = { signal, ended: transport.ended };
  // The supervisor's signal ends a start; a bound of its own only because every request has one.
  const boundMs = Math.max(options.startMs, MAX_START_MS);
  await unless(given, upstream.request('initialize', hello(options.version), boundMs));
  upstream.notify('notifications/initialized');
  const readTools = () => listTools(upstream, clock, log);
  const tools = await unless(given, readTools());
  const asyncTools = Object.keys(options.rules?.tools ?? {});
  let warned = '';
  const accept = (list: Tool[]) => {
    router.update(name, list);
    const missing = unknownNames(options.tools ?? {}, list, asyncTools).join(', ');
    if (missing !== '' && missing !== warned) log.warn('tools_chosen_but_unknown', { tools: missing });
    warned = missing;
    const errno = known?.write(list);
    if (errno) log.warn('known_tools_not_written', { errno });
  };
  run = new ServerRun({ ...options, peer, transport, upstream, readTools, accept });
  router.serve(name, upstream, tools);
  accept(tools);
  // It may have come behind the list, before there was a run to tell.
  if (changedEarly) run.listChanged();
  return run;
}

function hello(version: string): object {
  return { protocolVersion: REVISIONS[0], capabilities: {}, clientInfo: { name: 'aivoice-edge', version } };
}

/** `work`, but rejects as soon as the server is gone or the start is given up. */
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
