import type { Code } from './codes.ts';

/** One life of a health: derived from evidence, never a flag that was set at start. */
export type State = 'starting' | 'ready' | 'degraded' | 'failed' | 'stopped';

/** The last thing that proved life: what it was and when (wall clock, ms). A light is as true as its age. */
export interface Proof {
  readonly what: string;
  readonly at: number;
}

/** Health: what a run says of itself, on the evidence that it has now. */
export interface Health {
  readonly state: State;
  readonly code?: Code;
  /** One short English phrase beside the code: `exited 3`, `command not found: npx`. */
  readonly reason?: string;
  readonly proof?: Proof;
}

/** Why a run is over. `asked` is the only ending that is not a death: a child that exits 0 unasked has died. */
export interface Ending {
  readonly asked: boolean;
  readonly code?: Code;
  readonly reason: string;
}

/**
 * Run: one life of a service. Single use. Disposing stops it and everything that it owns: politely, then by
 * deadline, then hard; disposing again waits for the same end. `ended` never rejects.
 */
export interface Run extends AsyncDisposable {
  readonly ended: Promise<Ending>;
  readonly pid?: number;
  health(): Health;
  /** Looks for life (a ping): called by the supervisor every `probeMs`. Ends the run itself when it finds none. */
  probe?(): Promise<void>;
}

/** How a service is started again after a death. Times in ms. */
export interface RestartPolicy {
  /** A run that served for so long counts as healthy: the next restart comes at once and the delays begin anew. */
  readonly settleMs: number;
  /** First delay; doubles to `maxMs`, each with 20 % jitter, and never shrinks in a row of deaths. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** More deaths than `maxRestarts` within `windowMs` mean `failed` (an essential service then ends the appliance). */
  readonly maxRestarts: number;
  readonly windowMs: number;
}

/** What the start of any service may take at most after others were given up, in ms, unless its own `startMs` is more. */
export const MAX_START_MS = 60_000;

/** Service: something that the supervisor keeps running. */
export interface Service {
  readonly name: string;
  readonly kind:
    | 'endpoint'
    | 'server'
    | 'terminal'
    | 'audio'
    | 'voice'
    | 'console'
    | 'config'
    | 'release'
    | 'network'
    | 'storage';
  /** An essential service that fails takes the appliance down, so that systemd starts all of it afresh. */
  readonly essential: boolean;
  readonly restart: RestartPolicy;
  /** A start that takes longer is given up, in ms. The next one has twice the time, up to `MAX_START_MS`. */
  readonly startMs: number;
  /**
   * What a stop may take, in ms, by the word of the service. Default 3000. A restart waits on past it, so that there are
   * never two runs; an appliance that ends does not.
   */
  readonly stopMs?: number;
  /** Time between two probes of a ready run; absent where a run needs none. */
  readonly probeMs?: number;
  /** Resolves when ready to serve; rejects with a Fault. The signal is aborted when the start is no longer wanted. */
  start(signal: AbortSignal): Promise<Run>;
}
