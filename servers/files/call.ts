import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from '../stdio.ts';
import { Refusal } from './refusal.ts';
import { noRoot, openRoot, type Root } from './root.ts';
import type { Words } from './words.ts';

export interface Settings {
  /** The shared folder; unset or empty: every call is answered with FILES_NO_ROOT. */
  readonly root: string | undefined;
  readonly words: Words;
}

export interface Answer {
  /** One short sentence without its `summary:`. */
  readonly summary: string;
  /** The same and more for programs; relative paths only. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** What follows the summary in the text. */
  readonly body?: string;
}

export interface Call {
  readonly args: Record<string, unknown>;
  readonly root: Root;
  readonly words: Words;
  readonly signal: AbortSignal;
}

export type Work = (call: Call) => Promise<Answer>;

/** A call on a healthy disk takes 1 to 1,200 ms; a network drive that is gone blocks a thread for minutes. */
const DEADLINE_MS = 5000;
/** libuv has four threads for files: with so many of them blocked, new calls are refused at once. */
const MAX_STUCK = 2;

/** So many calls are at work at a time: each may hold a folder of 20,000 names, and one disk serves no more any faster. */
const MAX_WORKING = 2;

/** What all tools of one server share: the root, the language, and how many calls hang in the system. */
export class Desk {
  readonly #settings: Settings;
  #stuck = 0;
  #working = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The `run` of a tool: opens the root, works under a deadline, and puts whatever comes of it in the one answer form. */
  run(work: Work): Tool['run'] {
    const { root: setting, words } = this.#settings;
    return async (args, signal) => {
      using _turn = await this.#turn();
      try {
        signal.throwIfAborted();
        const answer = await this.#within(signal, async (within) => {
          await using root = await openRoot(setting);
          return await work({ args, root, words, signal: within });
        });
        return answered(answer);
      } catch (error) {
        if (error instanceof Refusal) return refused(error, words);
        throw error;
      }
    };
  }

  /** Waits until fewer calls are at work; first come, first served. */
  async #turn(): Promise<Disposable> {
    if (this.#working >= MAX_WORKING) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#working += 1;
    return {
      // Who waits takes the place over, so that it is never counted twice.
      [Symbol.dispose]: () => {
        const next = this.#waiting.shift();
        if (next) next();
        else this.#working -= 1;
      },
    };
  }

  async #within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#stuck >= MAX_STUCK) throw noRoot('stuck');
    const late = new AbortController();
    const working = work(AbortSignal.any([signal, late.signal]));
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#stuck += 1;
        const freed = () => {
          this.#stuck -= 1;
        };
        working.then(freed, freed);
        reject(noRoot('stuck'));
        late.abort();
      }, DEADLINE_MS);
    });
    try {
      return await Promise.race([working, deadline]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function answered({ summary, facts, body }: Answer): CallToolResult {
  const text = body === undefined || body === '' ? `summary: ${summary}` : `summary: ${summary}\n${body}`;
  return { content: [{ type: 'text', text }], structuredContent: { summary, ...facts } };
}

/** The code stands in the text as well: many hosts show a model nothing else. */
function refused({ code, say, facts }: Refusal, words: Words): CallToolResult {
  const summary = say(words);
  const text = `summary: ${summary}\ncode: ${code}`;
  return { content: [{ type: 'text', text }], structuredContent: { summary, code, ...facts }, isError: true };
}
