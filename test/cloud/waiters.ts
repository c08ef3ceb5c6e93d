interface Waiter<T> {
  readonly matches: (item: T) => boolean;
  readonly resolve: (item: T) => void;
  readonly reject: (why: string) => void;
}

/**
 * Waiters matched by predicate: what happened so far is in `record`, what comes is handed in by `add`. A wait that
 * ends without a match rejects with the stack of whoever waits, so that a failing scenario points at its own line.
 */
export class Waiters<T> {
  readonly record: T[] = [];
  readonly #waiting = new Set<Waiter<T>>();
  #hopeless: string | undefined;

  add(item: T): void {
    this.record.push(item);
    for (const waiter of [...this.#waiting]) {
      if (waiter.matches(item)) waiter.resolve(item);
    }
  }

  /** Nothing is to come any more: whoever waits, and will, is told why at once. */
  end(why: string): void {
    this.#hopeless = why;
    for (const waiter of [...this.#waiting]) waiter.reject(why);
  }

  /** The first match, already recorded or still to come within `ms`. `what` names it in the error. */
  expect(what: string, matches: (item: T) => boolean, ms: number): Promise<T> {
    const past = this.record.find(matches);
    return past === undefined
      ? this.#wait(matches, ms, lateness(what, ms, this.expect))
      : Promise.resolve(past);
  }

  /** The first match that comes after this call. */
  next(what: string, matches: (item: T) => boolean, ms: number): Promise<T> {
    return this.#wait(matches, ms, lateness(what, ms, this.next));
  }

  #wait(matches: (item: T) => boolean, ms: number, late: Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter<T> = {
        matches,
        resolve: (item) => {
          end();
          resolve(item);
        },
        reject: (why) => {
          end();
          late.message += `: ${why}`;
          reject(late);
        },
      };
      const timer = setTimeout(() => {
        end();
        reject(late);
      }, ms);
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
      };
      this.#waiting.add(waiter);
      if (this.#hopeless !== undefined) waiter.reject(this.#hopeless);
    });
  }
}

/** An error whose stack begins at the caller of `verb`. */
export function lateness(what: string, ms: number, verb: (...args: never[]) => unknown): Error {
  const late = new Error(`expected ${what} within ${ms} ms`);
  Error.captureStackTrace(late, verb);
  return late;
}
