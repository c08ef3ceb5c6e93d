import { connect } from 'node:net';
import { join } from 'node:path';
import { type Clock, within } from '#kernel/clock.ts';
import { isStatus } from './appliance-line.ts';
import { ailment, type Status } from './health.ts';

/** sun_path holds 108 bytes with its end mark: a longer one is bound elsewhere and is not measured. */
const MAX_SOCKET_PATH = 107;
const LOOK_MS = 50;
const ANSWER_MS = 2000;
const MAX_ANSWER = 4 * 1024 * 1024;

/**
 * Measures from outside how long the appliance is silent: from the last answer of the old release to the first of the new
 * one that says it is well. It asks the control socket itself, since a process for each look would be too slow.
 */
export class Silence implements AsyncDisposable {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #looking: Promise<void>;
  #lastOld: number | undefined;
  #firstNew: number | undefined;

  constructor(runtime: string, wanted: { version: string; before: Status | undefined }, clock: Clock) {
    this.#path = join(runtime, 'control.sock');
    this.#clock = clock;
    this.#looking = Buffer.byteLength(this.#path) > MAX_SOCKET_PATH ? Promise.resolve() : this.#look(wanted);
  }

  /** `null` where there was nothing to measure. */
  get ms(): number | null {
    if (this.#lastOld === undefined || this.#firstNew === undefined) return null;
    return Math.round(this.#firstNew - this.#lastOld);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#looking;
  }

  async #look({ version, before }: { version: string; before: Status | undefined }): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const status = await this.#ask();
      if (status && status.version !== version) this.#lastOld = this.#clock.now();
      if (status?.version === version && ailment(status, version, before) === undefined) {
        this.#firstNew = this.#clock.now();
        return;
      }
      await this.#clock.sleep(LOOK_MS, signal);
    }
  }

  async #ask(): Promise<Status | undefined> {
    const socket = connect(this.#path);
    const answered = new Promise<Status | undefined>((resolve) => {
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.includes('\n')) resolve(statusOf(text.slice(0, text.indexOf('\n'))));
        else if (text.length > MAX_ANSWER) resolve(undefined);
      });
      socket.once('error', () => resolve(undefined));
      socket.once('close', () => resolve(undefined));
    });
    socket.write('{"verb":"status"}\n');
    const status = await within(this.#clock, ANSWER_MS, answered);
    socket.destroy();
    return status;
  }
}

function statusOf(line: string): Status | undefined {
  try {
    const { status } = JSON.parse(line) as { status?: unknown };
    return isStatus(status) ? status : undefined;
  } catch {
    return undefined;
  }
}
