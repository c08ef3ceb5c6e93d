/** The newest log lines of the appliance, in memory only: `aivoice logs` reads them where there is no journal. */
export class LogRing {
  readonly #capacity: number;
  readonly #lines: string[] = [];
  readonly #followers = new Set<Follower>();

  /** `capacity` in lines; the log cuts each at 4 KiB. */
  constructor(capacity = 2000) {
    this.#capacity = capacity;
  }

  push(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > this.#capacity) this.#lines.shift();
    for (const follower of this.#followers) follower.push(line);
  }

  /** The last `count` lines, oldest first; with a name, those of that service. */
  tail(count: number, name?: string): string[] {
    const lines = name === undefined ? this.#lines : this.#lines.filter((line) => isOf(line, name));
    return count > 0 ? lines.slice(-count) : [];
  }

  /** Everything from now on. Disposing the follower ends it. */
  follow(name?: string): Follower {
    const follower = new Follower(name, () => this.#followers.delete(follower));
    this.#followers.add(follower);
    return follower;
  }
}

/** A reader that is slower than the log loses the oldest lines, and is told how many. */
const MAX_QUEUED = 500;

export class Follower implements Disposable {
  readonly #name: string | undefined;
  readonly #onDispose: () => void;
  #queue: string[] = [];
  #dropped = 0;
  #wake = () => {};

  constructor(name: string | undefined, onDispose: () => void) {
    this.#name = name;
    this.#onDispose = onDispose;
  }

  push(line: string): void {
    if (this.#name !== undefined && !isOf(line, this.#name)) return;
    this.#queue.push(line);
    if (this.#queue.length > MAX_QUEUED) {
      this.#queue.shift();
      this.#dropped++;
    }
    this.#wake();
  }

  /** The lines since the last call, as soon as there is one. Resolves with none when `signal` aborts. */
  async next(signal: AbortSignal): Promise<string[]> {
    if (this.#queue.length === 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.#wake = wake;
        signal.addEventListener('abort', wake);
      });
    }
    const lines = this.#queue;
    const dropped = this.#dropped;
    this.#queue = [];
    this.#dropped = 0;
    return dropped > 0 ? [JSON.stringify({ event: 'lines_dropped', count: dropped }), ...lines] : lines;
  }

  [Symbol.dispose](): void {
    this.#queue = [];
    this.#onDispose();
  }
}

/** Whether a line of the log is of the part: every line is one JSON object, and `service` names whose it is. */
export function isOf(line: string, name: string): boolean {
  if (!line.includes('"service":')) return false;
  try {
    return (JSON.parse(line) as { service?: unknown }).service === name;
  } catch {
    return false; // a line that is no JSON belongs to nobody
  }
}
