import type { Code } from '#kernel/codes.ts';
import { messageOf } from '#kernel/fault.ts';
import type { Health, Run, Service } from '#kernel/service.ts';
import { isFinal, type Row } from './restart.ts';
import type { PartStatus } from './status.ts';
import { wordsOf } from './wording.ts';

/** Where a service is in its life. `failed` marks a service that the next start will hardly help. */
export type Phase =
  | { readonly at: 'declared' }
  | { readonly at: 'starting'; readonly failed: boolean }
  | { readonly at: 'running'; readonly run: Run; readonly readyAt: number }
  | { readonly at: 'ending'; readonly asked: boolean }
  | { readonly at: 'waiting'; readonly failed: boolean; readonly dueAt: number }
  | { readonly at: 'stopped' };

export interface Facts {
  readonly phase: Phase;
  readonly row: Row;
  /** The last death, with its time by the wall. */
  readonly death: { readonly what: string; readonly at: number; readonly code?: Code } | undefined;
  readonly now: number;
  readonly wall: number;
}

export type Description = Omit<PartStatus, 'name' | 'kind' | 'essential' | 'since' | 'restarts'>;

/** What to say of a service: of a run what its health says now, else what its last death says. */
export function describe(service: Service, facts: Facts): Description {
  const { phase, row, death, now, wall } = facts;
  const ended = death && { ended: death };
  const dead = { ...ended, ...(death && { reason: death.what }), code: deathCode(service, facts) };
  switch (phase.at) {
    case 'declared':
      return { state: 'starting' };
    case 'starting':
      if (phase.failed) return { state: 'failed', ...dead };
      if (row.deaths === 0) return { state: 'starting', ...ended };
      // A server that is started again is about to serve; a part of ours waits for what is missing.
      return { state: service.kind === 'server' ? 'starting' : 'degraded', ...dead };
    case 'running':
      return { ...describeRun(phase.run, service, facts), ...ended };
    case 'ending':
      return phase.asked ? { state: 'stopped', ...ended } : { state: 'degraded', ...dead };
    case 'waiting':
      return { state: phase.failed ? 'failed' : 'degraded', ...dead, next: wall + phase.dueAt - now };
    case 'stopped':
      return { state: 'stopped', ...ended };
  }
}

function describeRun(run: Run, service: Service, facts: Facts): Description {
  const { row, death, now, phase } = facts;
  const health = healthOf(run);
  const pid = run.pid === undefined ? {} : { pid: run.pid };
  const settled = phase.at === 'running' && now - phase.readyAt >= service.restart.settleMs;
  if (health.state !== 'ready' || settled || !death) return { ...health, ...pid };
  // After a row of deaths the run is on probation: it answers, but nobody may rely on it yet.
  if (row.failing)
    return { ...health, ...pid, state: 'degraded', code: wordsOf(service).failing, reason: death.what };
  return { reason: death.what, ...health, ...pid };
}

function healthOf(run: Run): Health {
  try {
    return run.health();
  } catch (error) {
    return { state: 'degraded', code: 'INTERNAL', reason: messageOf(error) };
  }
}

/**
 * A cause that the owner can act on is worth more than the remark that it keeps happening; and a server elsewhere has
 * no command to check.
 */
function deathCode(service: Service, { row, death }: Facts): Code {
  const { ended, failing } = wordsOf(service);
  const code = death?.code ?? ended;
  const isCause =
    code === 'SERVER_NOT_FOUND' ||
    code === 'SERVER_NOT_STARTED' ||
    code.startsWith('REMOTE_') ||
    isFinal(code);
  return row.failing && !isCause ? failing : code;
}
