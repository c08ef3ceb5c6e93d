import type { Clock } from '../../device/kernel/clock.ts';

export interface FirmwareEvent {
  readonly type: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Queued {
  readonly event: FirmwareEvent;
  readonly at: number;
}

export interface QueueOptions {
  readonly clock: Clock;
  readonly ackMs: number;
  readonly tries: number;
  readonly send: (event: FirmwareEvent, seq: number, again: boolean) => void;
  /** Nobody acknowledged: the link is down. The event is kept. */
  readonly onGivenUp: () => void;
  /** An event is acknowledged, or was dropped for its age. */
  readonly onGone: () => void;
}

/** So many events wait at most; one more is dropped. */
const MAX_QUEUED = 16;
/** An event older than this is not told any more when the link comes back. */
const KEEP_MS = 15_000;
const ENCODER = 4;
export const MUTE = 2;

/** Events on their way to the host: one in flight, the others behind it in order (PROTOCOL.md, "Acknowledgement"). */
export class EventQueue {
  readonly #options: QueueOptions;
  #queue: Queued[] = [];
  #seq = 0;
  #tries = 0;
  #running = false;
  #timer: Disposable | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#queue.length;
  }

  /**
   * False where there is no room, which a mute makes for itself. What only waits is joined: steps of the encoder add up, a
   * mute replaces one of the same source.
   */
  add(event: FirmwareEvent): boolean {
    const at = this.#options.clock.now();
    const waiting = this.#queue.slice(this.#running || this.#tries > 0 ? 1 : 0);
    const twin = waiting.findLast(
      ({ event: { type, payload } }) => type === event.type && payload.source === event.payload.source,
    );
    if (twin && event.type === MUTE) return this.#replace(twin, event);
    if (twin && twin === waiting.at(-1) && event.type === ENCODER) {
      const delta = Number(twin.event.payload.delta) + Number(event.payload.delta);
      return this.#replace(twin, { ...event, payload: { delta } });
    }
    if (this.#queue.length >= MAX_QUEUED) {
      const [oldest] = waiting.filter(({ event: { type } }) => type !== MUTE);
      if (event.type !== MUTE || oldest === undefined) return false;
      this.#queue.splice(this.#queue.indexOf(oldest), 1);
    }
    this.#queue.push({ event, at });
    if (this.#running && this.#queue.length === 1) this.#first();
    return true;
  }

  /** The link is up: what is pending goes first, under the number that it had. */
  run(): void {
    if (this.#running) return;
    const { clock, onGone } = this.#options;
    const wasPending = this.#tries > 0 ? this.#queue[0] : undefined;
    this.#queue = this.#queue.filter(({ event, at }) => event.type === MUTE || clock.now() - at < KEEP_MS);
    this.#running = true;
    if (this.#queue[0] !== wasPending) this.#tries = 0; // it was dropped, and nobody else goes under its number
    if (this.#queue.length === 0) onGone();
    else if (this.#queue[0] === wasPending) this.#again();
    else this.#first();
  }

  /** The link is down. */
  pause(): void {
    this.#running = false;
    this.#timer?.[Symbol.dispose]();
  }

  /** Power was lost. */
  clear(): void {
    this.pause();
    this.#queue = [];
    this.#tries = 0;
    this.#options.onGone();
  }

  acknowledged(seq: number): void {
    if (this.#tries === 0 || seq !== this.#seq) return;
    this.#timer?.[Symbol.dispose]();
    this.#queue.shift();
    this.#tries = 0;
    this.#options.onGone();
    if (this.#running && this.#queue.length > 0) this.#first();
  }

  #replace(old: Queued, event: FirmwareEvent): boolean {
    this.#queue[this.#queue.indexOf(old)] = { ...old, event };
    return true;
  }

  #first(): void {
    this.#seq = (this.#seq + 1) % 256;
    this.#tries = 0;
    this.#send(false);
  }

  #again(): void {
    this.#tries = 0;
    this.#send(true);
  }

  #send(again: boolean): void {
    const { clock, ackMs, tries, send, onGivenUp } = this.#options;
    const [first] = this.#queue;
    if (first === undefined) return;
    if (this.#tries === tries) {
      onGivenUp();
      return;
    }
    this.#timer = clock.timer(ackMs * 2 ** this.#tries, () => this.#send(true));
    this.#tries++;
    send(first.event, this.#seq, again);
  }
}
