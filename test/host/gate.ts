import { mayBeCall } from './call.ts';

/** What a model thinks aloud before its answer, where its service does not keep that apart; it may not be over yet. */
const THOUGHT = /^\s*<think>[\s\S]*?(?:<\/think>\s*|$)/;

/** A reply without the thoughts before it. */
export function withoutThought(text: string): string {
  return text.replace(THOUGHT, '');
}

/**
 * Gate: lets out of a reply, as it comes, what is meant for people: no thoughts, no blank beginning, and nothing while it
 * may still be a call that is written out. `end` lets out what was held.
 */
export class Gate {
  readonly #say: (text: string) => void;
  readonly #callsAreKnown: boolean;
  #held = '';
  #isOpen = false;

  constructor(say: (text: string) => void, callsAreKnown: boolean) {
    this.#say = say;
    this.#callsAreKnown = callsAreKnown;
  }

  /** Something came out, which nobody can take back. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  take(text: string): void {
    if (this.#isOpen) {
      this.#say(text);
      return;
    }
    this.#held += text;
    const rest = withoutThought(this.#held).trimStart();
    if (rest === '' || '<think>'.startsWith(rest) || (this.#callsAreKnown && mayBeCall(rest))) return;
    this.#open(rest);
  }

  /** The reply begins anew: nothing of it had come out. */
  forget(): void {
    this.#held = '';
  }

  end(): void {
    const rest = withoutThought(this.#held).trimStart();
    if (!this.#isOpen && rest !== '') this.#open(rest);
  }

  #open(text: string): void {
    this.#isOpen = true;
    this.#held = '';
    this.#say(text);
  }
}
