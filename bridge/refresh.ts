import type { Clock } from '#kernel/clock.ts';
import type { Link } from '#kernel/link.ts';
import type { Log } from '#kernel/log.ts';
import type { Router } from './router.ts';
import type { Session } from './session.ts';

export interface RefreshOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** A changed list is told by a reconnect: so many ms after the last change, once no call is in flight. */
  readonly changeMs: number;
}

/** How often a line with a changed list is looked at: while calls are in flight, and once its cloud has been told. */
const IDLE_CHECK_MS = 100;
/** Changes without a pause put a reconnect off to so many times the wait, no further. */
const MAX_WAITS = 10;

/**
 * Watches whether the cloud of one line has another list than there is. Such a cloud is told so, which few heed; a line
 * whose cloud has not read the new list then is closed.
 */
export class Refresh implements Disposable {
  done = false;
  readonly #session: Session;
  readonly #link: Link;
  readonly #options: RefreshOptions;
  readonly #subscription: Disposable;
  #timer: Disposable | undefined;
  /** The latest time for a look, set by the first of a row of changes. */
  #dueAt: number | undefined;
  #told = false;

  constructor(session: Session, link: Link, router: Router, options: RefreshOptions) {
    this.#session = session;
    this.#link = link;
    this.#options = options;
    this.#subscription = router.onChange(() => this.#changed());
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#timer?.[Symbol.dispose]();
  }

  /** Every further change starts the wait anew, so that five servers that come up cost one reconnect. */
  #changed(): void {
    const { clock, changeMs } = this.#options;
    this.#dueAt ??= clock.now() + MAX_WAITS * changeMs;
    this.#wait(Math.max(0, Math.min(changeMs, this.#dueAt - clock.now())));
  }

  #wait(ms: number): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#options.clock.timer(ms, () => this.#look());
  }

  #look(): void {
    if (!this.#session.isStale) {
      this.#dueAt = undefined;
      this.#told = false;
      return;
    }
    if (!this.#told) {
      this.#told = true;
      this.#session.tellListChanged();
      this.#wait(IDLE_CHECK_MS);
      return;
    }
    if (!this.#session.isIdle) {
      this.#wait(IDLE_CHECK_MS);
      return;
    }
    this.done = true;
    this.#options.log.info('tools_changed_reconnecting');
    void this.#link.close(1000);
  }
}
