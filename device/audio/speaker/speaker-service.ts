import type { Ending, Health, RestartPolicy, Run, Service } from '#kernel/service.ts';
import type { CardSpeaker } from './speaker-card.ts';

export interface SpeakerServiceOptions {
  readonly speaker: CardSpeaker;
  readonly restart: RestartPolicy;
  /** A card that does not open in time. In ms; default 10,000. */
  readonly startMs?: number;
}

/**
 * The speaker as a service. A start proves that the card plays, or rejects with AUDIO_TOOLS, AUDIO_MISSING, AUDIO_BUSY,
 * AUDIO_DENIED, AUDIO_FORMAT, AUDIO_STALLED or AUDIO_LOST; a run ends when an utterance finds the card gone.
 */
export function speakerService({ speaker, restart, startMs = 10_000 }: SpeakerServiceOptions): Service {
  return {
    name: 'speaker',
    kind: 'audio',
    essential: false,
    restart,
    startMs,
    async start(signal) {
      await speaker.prove(signal);
      return new SpeakerRun(speaker);
    },
  };
}

class SpeakerRun implements Run {
  readonly ended: Promise<Ending>;
  readonly #speaker: CardSpeaker;
  #end: (ending: Ending) => void = () => {};
  #isOver = false;

  constructor(speaker: CardSpeaker) {
    this.#speaker = speaker;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    speaker.onFault = ({ code, message }) => this.#finish({ asked: false, code, reason: message });
  }

  health(): Health {
    const { proof } = this.#speaker;
    return { state: 'ready', ...(proof && { proof }) };
  }

  /** An end that was asked for is silence too; after a fault what plays by now is none of this run. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOver) return;
    this.#finish({ asked: true, reason: 'stopped' });
    await this.#speaker.stop();
  }

  #finish(ending: Ending): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#speaker.onFault = () => {};
    this.#end(ending);
  }
}
