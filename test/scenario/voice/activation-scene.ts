import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../../device/kernel/clock.ts';
import { createLog } from '../../../device/kernel/log.ts';
import {
  Activation,
  type ActivationOptions,
  type ActivationState,
} from '../../../device/voice/activation/activation.ts';

export const IDENTITY = { deviceId: '02:00:00:00:00:01', clientId: '6b0f4c0e-8a5e-4b53-9d0f-0d3a3c2f1e11' };

/** ActivationScene: a state folder, a log and a clock whose pauses are over at once and written down. */
export class ActivationScene implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'aivoice-activation-'));
  readonly logged: string[] = [];
  readonly log = createLog({ level: () => 'debug', wall: Date.now, sink: (line) => this.logged.push(line) });
  readonly states: ActivationState[] = [];
  /** The pauses that were made, in ms. */
  readonly paused: number[] = [];
  readonly clock: Clock = {
    ...systemClock,
    sleep: (ms, signal) => {
      this.paused.push(ms);
      return systemClock.sleep(1, signal);
    },
  };
  #waiters: (() => void)[] = [];

  start(url: string, options: Partial<ActivationOptions> = {}): Activation {
    const { folder, log, clock } = this;
    const onChange = (state: ActivationState) => {
      this.states.push(state);
      for (const wake of this.#waiters.splice(0)) wake();
    };
    const fixed = { identity: IDENTITY, version: '1.2.3', language: 'ja', random: () => 0.5 } as const;
    return new Activation({ ...fixed, url, folder, log, clock, onChange, ...options });
  }

  /** Resolves with the first state, past or to come, that has this. */
  async until(where: (state: ActivationState) => boolean, from = 0): Promise<ActivationState> {
    for (;;) {
      const found = this.states.slice(from).find(where);
      if (found) return found;
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
  }

  /** What stands in the files of the state folder, by name, with their modes. */
  files(): { name: string; mode: string; text: string }[] {
    return readdirSync(this.folder)
      .sort()
      .map((name) => {
        const path = join(this.folder, name);
        const mode = (statSync(path).mode & 0o777).toString(8);
        return { name, mode, text: readFileSync(path, 'utf8') };
      });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const isRegistered = (state: ActivationState) => state.at === 'registered';
export const isWaiting = (state: ActivationState) => state.at === 'waiting';
/** The codes of the tries that failed. */
export const codeOf = (state: ActivationState) => (state.at === 'asking' ? state.code : undefined);
