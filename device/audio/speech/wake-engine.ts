import type { Fault } from '#kernel/fault.ts';
import type { Listener } from '../microphone/microphone.ts';

/** What a wake engine listens with, for the status. */
export interface WakeModel {
  readonly engine: string;
  readonly word: string;
  readonly file: string;
  /** What its owner allows, as a person reads it: `CC BY-NC-SA 4.0, non-commercial`, `own model`. */
  readonly licence: string;
}

/** The word was said. `score` is 0 to 1, `at` when the sound of it had come (Clock.now). */
export type WakeWatcher = (word: string, score: number, at: number) => void;

/** WakeEngine: hears one wake word. Another library goes behind the same face. */
export interface WakeEngine extends AsyncDisposable {
  readonly model: WakeModel;
  /** For Microphone.listen. Never waits; what is too far behind is lost and counted. */
  readonly hear: Listener;
  watch(watcher: WakeWatcher): Disposable;
  /** Set while an answer plays: the word then has to be surer by 0.1 (audio notes 7). */
  speaking: boolean;
  /** Forgets what was heard. Done by itself where the microphone was off for 1.5 s. */
  reset(): void;
  /** When sound last came (Clock.now), -Infinity before: what proves that somebody listens. */
  readonly heardAt: number;
  /** Steps (80 ms) lost because the machine is too slow. */
  readonly dropped: number;
  /** Set for good when the model failed while it ran: nothing wakes any more, open another. */
  readonly fault: Fault | undefined;
}
