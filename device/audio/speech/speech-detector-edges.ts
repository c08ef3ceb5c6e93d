export interface SpeechEdgeOptions {
  /** Silence after which speech has ended; ms. */
  readonly endMs: number;
  /** Length of one window; ms. */
  readonly windowMs: number;
}

/** Where speech began or ended, in the time of the windows: `ended` is told `endMs` after it happened. */
export interface SpeechEdge {
  readonly what: 'started' | 'ended';
  readonly at: number;
}

/** A window this likely begins speech, and one that is still so likely goes on with it (as Silero's own use of it). */
const BEGIN = 0.5;
const GO_ON = 0.35;
/** Shorter than this is a click or a breath; ms. */
const SHORTEST_MS = 96;

type Phase =
  | { readonly at: 'quiet' }
  | { readonly at: 'maybe'; readonly since: number }
  | { readonly at: 'speaking'; readonly last: number };

/** SpeechEdges: where in a row of probabilities speech begins and ends. */
export class SpeechEdges {
  readonly #options: SpeechEdgeOptions;
  #phase: Phase = { at: 'quiet' };

  constructor(options: SpeechEdgeOptions) {
    this.#options = options;
  }

  get speaking(): boolean {
    return this.#phase.at === 'speaking';
  }

  /** Not even the beginning of speech. */
  get quiet(): boolean {
    return this.#phase.at === 'quiet';
  }

  /** One window, with the time of its end. */
  push(probability: number, at: number): SpeechEdge | undefined {
    const phase = this.#phase;
    switch (phase.at) {
      case 'quiet':
        if (probability >= BEGIN) this.#phase = { at: 'maybe', since: at - this.#options.windowMs };
        return;
      case 'maybe':
        if (probability < GO_ON) this.#phase = { at: 'quiet' };
        else if (at - phase.since >= SHORTEST_MS) return this.#began(phase.since, at);
        return;
      case 'speaking':
        if (probability >= GO_ON) this.#phase = { at: 'speaking', last: at };
        else if (at - phase.last >= this.#options.endMs) return this.#over(phase.last);
        return;
    }
  }

  reset(): void {
    this.#phase = { at: 'quiet' };
  }

  #began(since: number, now: number): SpeechEdge {
    this.#phase = { at: 'speaking', last: now };
    return { what: 'started', at: since };
  }

  #over(last: number): SpeechEdge {
    this.#phase = { at: 'quiet' };
    return { what: 'ended', at: last };
  }
}
