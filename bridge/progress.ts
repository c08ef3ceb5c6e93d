import type { RunningCalls } from './running.ts';

/** Progress says little; what is longer is cut down to its numbers. */
const MAX_BYTES = 2000;

/** Tells the caller of a server's progress, under its own token, which is the id of the call toward the server. */
export function tellProgress(running: RunningCalls, params: unknown): void {
  if (typeof params !== 'object' || params === null) return;
  const { progressToken, ...rest } = params as Progress;
  const { progress, total } = rest;
  if (typeof progress !== 'number' || !Number.isFinite(progress)) return;
  const id = typeof progressToken === 'string' ? Number(progressToken) : progressToken;
  const call = typeof id === 'number' ? running.advance(id, progress) : undefined;
  if (call?.progressToken === undefined) return;
  const whole = JSON.stringify(rest);
  const numbers = typeof total === 'number' ? { progress, total } : { progress };
  const short = whole.length <= MAX_BYTES ? whole : JSON.stringify(numbers);
  // The caller's token is put in as the text that it came as: 1 and "1" are different tokens.
  const told = `{"progressToken":${call.progressToken},${short.slice(1)}`;
  call.caller.tell(`{"jsonrpc":"2.0","method":"notifications/progress","params":${told}}`);
}

interface Progress {
  readonly progressToken?: unknown;
  readonly progress?: unknown;
  readonly total?: unknown;
}
