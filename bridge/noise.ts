import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { headOf } from './head.ts';

/** A server that chatters is shown in the log so often, with so much of its line. */
const EVERY_MS = 60_000;
const SHOWN_BYTES = 200;

/** Lines of a server that are lost for one reason: dropped, and logged once a minute with the count between. */
export class Noise {
  readonly #event: string;
  readonly #log: Log;
  readonly #clock: Clock;
  #loggedAt = -Infinity;
  #unlogged = 0;

  constructor(event: string, log: Log, clock: Clock) {
    this.#event = event;
    this.#log = log;
    this.#clock = clock;
  }

  heard(line: Buffer): void {
    this.#unlogged++;
    if (this.#clock.now() - this.#loggedAt < EVERY_MS) return;
    this.#loggedAt = this.#clock.now();
    this.#log.warn(this.#event, {
      lines: this.#unlogged,
      head: headOf(line, SHOWN_BYTES),
    });
    this.#unlogged = 0;
  }
}
