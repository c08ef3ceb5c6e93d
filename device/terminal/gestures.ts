import type { Clock } from '#kernel/clock.ts';
import { type Button, type ButtonTiming, believed, edge, passed, RESTING, type Step } from './buttons.ts';
import type { Message } from './message.ts';
import type { TerminalEvent } from './terminal.ts';

/** A terminal with more buttons than this is not believed: the rest is dropped. */
const MAX_BUTTONS = 16;

export interface HandsOptions {
  readonly clock: Clock;
  readonly timing: ButtonTiming;
  readonly onEvent: (event: TerminalEvent) => void;
}

/** Hands: the buttons of one terminal, with the timers that their gestures need. */
export class Hands implements Disposable {
  /** The terminal tells click, double and long itself. */
  believes = false;
  readonly #options: HandsOptions;
  readonly #buttons = new Map<string, Button>();
  readonly #timers = new Map<string, Disposable>();

  constructor(options: HandsOptions) {
    this.#options = options;
  }

  take({ id, action }: Extract<Message, { kind: 'button' }>, at: number): void {
    const before = this.#buttons.get(id) ?? RESTING;
    if (!this.#buttons.has(id) && this.#buttons.size >= MAX_BUTTONS) return;
    const { timing } = this.#options;
    if (this.believes) this.#apply(id, believed(id, before, action, at, timing));
    else if (action === 'press' || action === 'release') {
      this.#apply(id, edge(id, before, action === 'press', at, timing));
    }
  }

  /** The terminal was away or began anew: what was held is not known to be held any more. */
  forget(): void {
    for (const timer of this.#timers.values()) timer[Symbol.dispose]();
    this.#timers.clear();
    this.#buttons.clear();
  }

  [Symbol.dispose](): void {
    this.forget();
  }

  #apply(id: string, { button, events, wakeAt }: Step): void {
    const { clock, timing, onEvent } = this.#options;
    this.#timers.get(id)?.[Symbol.dispose]();
    this.#timers.delete(id);
    this.#buttons.set(id, button);
    if (wakeAt !== undefined) {
      const wake = () => this.#apply(id, passed(id, this.#buttons.get(id) ?? RESTING, clock.now(), timing));
      this.#timers.set(id, clock.timer(Math.max(0, wakeAt - clock.now()), wake));
    }
    for (const event of events) onEvent(event);
  }
}
