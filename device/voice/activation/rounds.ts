import { backoff, type Random } from '#kernel/backoff.ts';
import type { Code } from '#kernel/codes.ts';
import { Fault, messageOf } from '#kernel/fault.ts';
import type { Credentials } from '../credentials.ts';
import { pollActivation, type RegistrationOptions, register } from './registration.ts';
import type { ActivationCode, Registration } from './registration-answer.ts';

/** How often is asked; ms (cloud protocol 3: the reference firmware's). */
const POLL_MS = 3000;
const POLL_AGAIN_MS = 10_000;
/** So many polls, then the whole again: a code does not hold for ever, and a server may forget. */
const POLLS = 20;
const POLL_ERRORS = 3;

/** Between rounds that failed, and between rounds in which nobody entered the code. */
const AFTER_TROUBLE = { firstMs: 2000, maxMs: 300_000, jitter: 0.2 };
const AFTER_WAITING = { firstMs: POLL_MS, maxMs: 30_000, jitter: 0.2 };

export interface RoundsOptions extends RegistrationOptions {
  readonly random: Random;
  readonly on: {
    /** The owner has to enter this code; told again only when it has changed. */
    code(shown: ActivationCode): void;
    /** A round failed; the next one comes in `nextMs`. */
    trouble(code: Code, reason: string, nextMs: number): void;
    /** The server offered firmware; told once. */
    pushed(): void;
  };
}

/** Registers until there are credentials, for ever. Rejects with STOPPED alone, when `signal` aborts. */
export async function registerInRounds(options: RoundsOptions, signal: AbortSignal): Promise<Credentials> {
  const { clock, random, on } = options;
  let failed = 0;
  let waited = 0;
  let enteredBefore = false;
  let told = '';
  let pushed = false;
  for (;;) {
    let pauseMs: number;
    try {
      const answer: Registration = await register(options, signal);
      if (answer.pushed && !pushed) on.pushed();
      pushed ||= answer.pushed;
      if (answer.kind === 'bound') return answer.credentials;
      const key = JSON.stringify(answer.shown);
      // After trouble it is told afresh, since the state has been another one meanwhile.
      if (key !== told || failed > 0) on.code(answer.shown);
      told = key;
      failed = 0;
      const entered = await waitForOwner(options, signal);
      // A server that calls it done and goes on asking for the code is not to be asked in a spin.
      pauseMs = entered && !enteredBefore ? 0 : backoff(AFTER_WAITING, waited++, random);
      enteredBefore = entered;
    } catch (error) {
      if (signal.aborted) throw error;
      waited = 0;
      pauseMs = backoff(AFTER_TROUBLE, failed++, random);
      on.trouble(error instanceof Fault ? error.code : 'INTERNAL', messageOf(error), pauseMs);
    }
    await clock.sleep(pauseMs, signal);
    if (signal.aborted) throw new Fault('STOPPED', 'registration given up');
  }
}

/** Polls while a code is shown. `true`: it was entered; `false`: ask for the whole again. Rejects when polls keep failing. */
async function waitForOwner(options: RoundsOptions, signal: AbortSignal): Promise<boolean> {
  let errors = 0;
  let pauseMs = POLL_MS;
  for (let poll = 0; poll < POLLS; poll++) {
    await options.clock.sleep(pauseMs, signal);
    if (signal.aborted) throw new Fault('STOPPED', 'registration given up');
    try {
      if (await pollActivation(options, signal)) return true;
      errors = 0;
      pauseMs = POLL_MS;
    } catch (error) {
      if (signal.aborted || ++errors >= POLL_ERRORS) throw error;
      pauseMs = POLL_AGAIN_MS;
    }
  }
  return false;
}
