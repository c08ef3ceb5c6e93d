import type { Writable } from 'node:stream';
import { REACH } from './reach.ts';

/** A step without which the rest says nothing. */
export class Hopeless extends Error {}

export interface StepOptions {
  /** Hard deadline in ms. */
  readonly ms: number;
  /** Without it nothing that follows can be tested. */
  readonly vital?: boolean;
  /** Told when it fails: what a reader needs to find out why. */
  readonly onFail?: () => Promise<string> | string;
}

/** Report: one line a step, `PASS` or `FAIL` first, and the numbers that were measured on the way. */
export class Report {
  readonly numbers: Record<string, number | string> = {};
  readonly #out: Writable;
  readonly #name: string;
  readonly #whole: Report;
  #passed = 0;
  #failed = 0;

  /** With `name` before each line, a part of the report `whole`. */
  constructor(out: Writable, name?: string, whole?: Report) {
    this.#out = out;
    this.#name = name === undefined ? '' : `${name}: `;
    this.#whole = whole ?? this;
  }

  /** What one of several things that go on at once tells; the whole counts it. */
  of(name: string): Report {
    return new Report(this.#out, name, this);
  }

  get passed(): number {
    return this.#passed;
  }

  get failed(): number {
    return this.#failed;
  }

  /** Runs a step. What it resolves with is shown behind its title; a fault is told, and only a vital one thrown. */
  async step(title: string, options: StepOptions, work: () => Promise<string | undefined>): Promise<boolean> {
    const began = performance.now();
    try {
      const detail = await within(options.ms, work());
      this.#whole.#passed++;
      this.#line(`PASS ${title}${detail ? `: ${detail}` : ''} (${secondsSince(began)} s)`);
      return true;
    } catch (error) {
      this.#whole.#failed++;
      this.#line(`FAIL ${title} (${secondsSince(began)} s)\n${indented(reasonOf(error))}`);
      const more = await Promise.resolve(options.onFail?.()).catch((later) => reasonOf(later));
      if (more) this.#line(indented(more));
      if (options.vital) throw new Hopeless(title, { cause: error });
      return false;
    }
  }

  number(name: string, value: number | string): void {
    this.#whole.numbers[name] = value;
    const reach = REACH[name];
    this.#line(`     ${name} = ${value}${reach === undefined ? '' : ` (reach ${reach})`}`);
  }

  note(text: string): void {
    this.#line(text);
  }

  end(): void {
    this.#line(`${this.passed} passed, ${this.failed} failed`);
  }

  #line(text: string): void {
    this.#out.write(`${text.replaceAll(/^/gm, this.#name)}\n`);
  }
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\nbecause of ${reasonOf(error.cause)}`;
  return `${error.message}${cause}`;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined); // it may still fail when nobody waits for it any more
  }
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '     ');
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}
