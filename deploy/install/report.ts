import { type Code, type Language, sentence } from '#kernel/codes.ts';
import { phrase, type StepName } from './words.ts';

/** How a verb of the installer ended. */
export interface Verdict {
  readonly verdict: 'good' | 'same' | 'undone' | 'refused' | 'busy' | 'failed';
  /** The release that it was about. */
  readonly version: string | null;
  /** The one that ran before. */
  readonly from: string | null;
  readonly code: Code | null;
  /** A short English phrase; of a good release what does not work beside it, through no fault of its own. */
  readonly reason: string | null;
  /** From the last answer of the old release to the first of the new one, in ms. */
  readonly silentMs: number | null;
}

export const NO_VERDICT: Verdict = {
  verdict: 'failed',
  version: null,
  from: null,
  code: null,
  reason: null,
  silentMs: null,
};

export interface ReportOptions {
  readonly language: Language;
  /** JSON lines instead of sentences. */
  readonly json: boolean;
  stdout(text: string): void;
  stderr(text: string): void;
}

/** Report: tells people, or a program, how far the work is and how it ended. */
export class Report {
  readonly #options: ReportOptions;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  get json(): boolean {
    return this.#options.json;
  }

  get language(): Language {
    return this.#options.language;
  }

  /** One line of progress. */
  step(name: StepName, detail = ''): void {
    const { json, language } = this.#options;
    const text = () => inOneLine(phrase(name, language, detail));
    this.line(json ? JSON.stringify({ step: name, ...(detail && { detail }) }) : text());
  }

  /** The last line, and beside it why where it is not good. */
  verdict(verdict: Verdict): void {
    const { json, language } = this.#options;
    if (verdict.code) this.fault(verdict.code, verdict.reason ?? '');
    const { version, silentMs } = verdict;
    const silent = silentMs === null ? '' : ` (${(silentMs / 1000).toFixed(1)} s)`;
    const text = inOneLine(`${phrase(verdict.verdict, language, version ?? '')}${silent}`);
    this.line(json ? JSON.stringify(verdict) : text);
  }

  fault(code: Code, detail: string): void {
    const text = `${code}: ${sentence(code, this.#options.language)}${detail && ` (${detail})`}`;
    this.#options.stderr(`${inOneLine(text)}\n`);
  }

  /** The answer could not be written, for the reason `errno`. Returns the exit code for it. */
  unwritten(errno: string): number {
    this.#options.stderr(`OUTPUT_FAILED: ${phrase('unwritten', this.#options.language)} (${errno})\n`);
    return 1;
  }

  /** Text of our own on stderr. */
  aside(text: string): void {
    this.#options.stderr(`${text}\n`);
  }

  line(text: string): void {
    this.#options.stdout(`${text}\n`);
  }
}

/** A file may be named so that it would steer a terminal, or look like a line of ours. */
function inOneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: just these are looked for.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?');
}
