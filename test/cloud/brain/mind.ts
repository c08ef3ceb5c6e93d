import { type Answer, answer, type Hands } from './brain.ts';

/** A question's surroundings: what the appliance can do now, and who listens. */
export interface Asking extends Hands {
  /** Nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
  /** Sentences of the answer, as soon as each is whole. Whoever answers at once need not tell any. */
  readonly onSentence?: (sentence: string) => void;
}

/** Mind: one conversation, question by question. Rejects on an abort only: what goes wrong is said. */
export type Mind = (question: string, asking: Asking) => Promise<Answer>;

/** Brain: begins a conversation. */
export type Brain = () => Mind;

/** The deterministic one: the same answer to the same question, and no memory. */
export const rules: Brain = () => answer;
