/** After a wake nothing wakes for so long: the same word scores high for a second (audio notes 4). */
const REFRACTORY_MS = 2000;
/** The appliance's own voice is in the air (audio notes 7). */
const SPEAKING_EXTRA = 0.1;
const HIGHEST = 0.99;

/** WakeTrigger: which score is a wake. */
export class WakeTrigger {
  readonly #threshold: number;
  #restUntil = Number.NEGATIVE_INFINITY;

  /** `threshold`: 0.01 to 0.99. */
  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  push(score: number, at: number, speaking: boolean): boolean {
    const threshold = Math.min(HIGHEST, this.#threshold + (speaking ? SPEAKING_EXTRA : 0));
    if (score < threshold || at < this.#restUntil) return false;
    this.#restUntil = at + REFRACTORY_MS;
    return true;
  }
}
