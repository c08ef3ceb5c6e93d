import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { openSender, type Sender } from './datagram.ts';
import type { Watcher } from './supervisor.ts';

export interface NotifyOptions {
  /** NOTIFY_SOCKET. Absent or empty: nobody listens and nothing is sent. */
  readonly address?: string | undefined;
  /** WATCHDOG_USEC: silence in microseconds after which systemd ends us. Absent: no watchdog. */
  readonly watchdogUsec?: string | undefined;
  /** WATCHDOG_PID: the process that the watchdog is for. Absent: whoever reads it. */
  readonly watchdogPid?: string | undefined;
  /** Our own process id. */
  readonly pid: number;
  /** PATH, for the program that sends (socat, else systemd-notify). */
  readonly path?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Between two rounds of the supervisor's loop, at most; sd_notify(3) asks for a ping at half of the interval. */
const TICK_MS = 1000;
const LEAST_TICK_MS = 20;

/**
 * Notify: tells systemd how we are (sd_notify(3)). It has no timer of its own: a ping is sent only when the
 * supervisor's loop comes round, so that a blocked loop is silent and gets replaced. The messages come from a helper
 * process, so the unit needs `NotifyAccess=all`.
 */
export class Notify implements Watcher, AsyncDisposable {
  /** What the supervisor's `tickMs` must be, so that its loop is quick enough for the watchdog. */
  readonly tickMs: number;
  readonly #clock: Clock;
  readonly #pingMs: number | undefined;
  readonly #sender: Sender | undefined;
  #pingedAt: number | undefined;
  #ready = false;
  #stopping = false;
  #status = '';

  constructor(options: NotifyOptions) {
    const { address, clock, log, path = '' } = options;
    this.#clock = clock;
    if (address) {
      this.#sender = openSender({ address, path, clock, log, standing: () => this.#standing() });
      if (!this.#sender)
        log.warn('notify_unavailable', { reason: 'neither socat nor systemd-notify can reach it' });
    }
    const watchdogMs = this.#sender && watchdogInterval(options);
    this.#pingMs = watchdogMs && watchdogMs / 3;
    this.tickMs = Math.max(LEAST_TICK_MS, Math.min(TICK_MS, Math.floor(this.#pingMs ?? TICK_MS)));
  }

  ready(): void {
    this.#ready = true;
    this.#sender?.send('READY=1\n');
  }

  stopping(): void {
    this.#stopping = true;
    this.#sender?.send('STOPPING=1\n');
  }

  alive(status: string): void {
    const said = status.replaceAll('\n', ' ');
    const news = said === this.#status ? '' : `STATUS=${said}\n`;
    this.#status = said;
    const ping = this.#isPingDue() ? 'WATCHDOG=1\n' : '';
    if (news || ping) this.#sender?.send(ping + news);
  }

  /** Ends the sender, after it has sent what it was given. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sender?.[Symbol.asyncDispose]();
  }

  #isPingDue(): boolean {
    const now = this.#clock.now();
    // The round next to the third of the interval: a timer a moment early must not put the ping off by a whole round.
    if (this.#pingMs === undefined || now - (this.#pingedAt ?? -Infinity) < this.#pingMs - this.tickMs / 2)
      return false;
    this.#pingedAt = now;
    return true;
  }

  #standing(): string {
    const lines = [
      this.#ready && 'READY=1',
      this.#stopping && 'STOPPING=1',
      this.#status && `STATUS=${this.#status}`,
    ];
    return lines
      .filter(Boolean)
      .map((line) => `${line}\n`)
      .join('');
  }
}

/** In ms; `undefined` where there is no watchdog or it is for another process. */
function watchdogInterval({ watchdogUsec, watchdogPid, pid }: NotifyOptions): number | undefined {
  const ms = Number(watchdogUsec) / 1000;
  if (!(watchdogUsec && ms > 0 && Number.isFinite(ms))) return undefined;
  return watchdogPid && Number(watchdogPid) !== pid ? undefined : ms;
}
