import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** One power cut, and what was there after the next boot. */
export interface Cut {
  readonly number: number;
  /** When, as a part of a whole update. */
  readonly instant: number;
  readonly from: string;
  readonly to: string;
  /** What the store was at when the power went, as far as it could be seen. */
  readonly during: string;
  /** The release after the boot. */
  readonly came: string;
  /** Nothing: it came back with a good release and its data. */
  readonly fault: string | null;
  readonly bootMs: number;
}

/** What makes cuts comparable: with another one of these a journal begins afresh. */
export interface Subject {
  readonly seed: number;
  readonly image: string;
  readonly release: string;
}

interface Written extends Subject {
  readonly schema: 1;
  readonly cuts: readonly Cut[];
}

/** Journal: the cuts so far, in a file that survives the test's own end at any moment. */
export class Journal {
  readonly #file: string;
  readonly #subject: Subject;
  readonly #cuts: Cut[];

  constructor(file: string, subject: Subject) {
    this.#file = file;
    this.#subject = subject;
    this.#cuts = existsSync(file) ? [...cutsIn(readFileSync(file, 'utf8'), subject)] : [];
  }

  get cuts(): readonly Cut[] {
    return this.#cuts;
  }

  /** The numbers of `count` cuts that are still to be made. */
  missing(count: number): readonly number[] {
    const made = new Set(this.#cuts.map(({ number }) => number));
    return Array.from({ length: count }, (_, index) => index + 1).filter((number) => !made.has(number));
  }

  /** In the order of their numbers, whichever board was done first. */
  add(cut: Cut): void {
    this.#cuts.push(cut);
    this.#cuts.sort((a, b) => a.number - b.number);
    const written: Written = { schema: 1, ...this.#subject, cuts: this.#cuts };
    writeFileSync(`${this.#file}.new`, `${JSON.stringify(written, null, 1)}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/** The cuts of a journal's text that go on with the same subject; none where it is about another one. */
export function cutsIn(text: string, { seed, image, release }: Subject): readonly Cut[] {
  const written = JSON.parse(text) as Written;
  const isSame = written.seed === seed && written.image === image && written.release === release;
  return isSame ? written.cuts : [];
}
