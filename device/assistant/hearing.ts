import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Ending, Health, Run, Service } from '#kernel/service.ts';
import type { CardMicrophone } from '../audio/microphone/card-microphone.ts';
import { openSpeechDetector, type SpeechDetector } from '../audio/speech/speech-detector.ts';
import type { WakeEngine } from '../audio/speech/wake-engine.ts';
import { openWakeWord } from '../audio/speech/wake-word.ts';
import type { Turn } from '../voice/turn/words.ts';
import type { Voice } from '../voice/voice.ts';

export interface HearingOptions {
  readonly microphone: CardMicrophone;
  readonly voice: Voice;
  readonly speechModel: string;
  readonly speechEndMs: number;
  /** Also ends a question when nobody speaks any more. */
  readonly endsQuestions: boolean;
  /** None: nothing wakes by a word. */
  readonly wake?: {
    readonly word: string;
    readonly folder: string;
    readonly models: string;
    readonly threshold: number;
  };
  /** The wake word was said. */
  readonly onWake: (word: string) => void;
  readonly clock: Clock;
}

const RESTART = { settleMs: 10_000, firstMs: 1000, maxMs: 60_000, maxRestarts: 5, windowMs: 60_000 };

/** Loading the models takes a second here and several on a Pi. */
const START_MS = 30_000;

/** Speech detection and wake word: what the appliance itself understands of what it hears. */
export function hearingService(options: HearingOptions): Service {
  return {
    name: 'hearing',
    kind: 'audio',
    essential: false,
    restart: RESTART,
    startMs: START_MS,
    async start(signal) {
      const end = { now: (_fault: Fault) => {} };
      const onFault = (fault: Fault) => end.now(fault);
      const { speechModel: model, speechEndMs, wake } = options;
      const speech = await openSpeechDetector({ model, speechEndMs, onFault });
      try {
        const engine = wake && (await openWakeWord({ ...wake, speech, onFault }));
        const run = new HearingRun(options, speech, engine);
        end.now = (fault) => run.fail(fault);
        if (!signal.aborted) return run;
        await run[Symbol.asyncDispose]();
        throw new Fault('STOPPED', 'the start was given up');
      } catch (error) {
        await speech[Symbol.asyncDispose]();
        throw error;
      }
    },
  };
}

class HearingRun implements Run {
  readonly ended: Promise<Ending>;
  readonly #options: HearingOptions;
  readonly #speech: SpeechDetector;
  readonly #engine: WakeEngine | undefined;
  readonly #held: Disposable[] = [];
  #end: (ending: Ending) => void = () => {};
  #question: Disposable | undefined;

  constructor(options: HearingOptions, speech: SpeechDetector, engine: WakeEngine | undefined) {
    this.#options = options;
    this.#speech = speech;
    this.#engine = engine;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const { voice, microphone, endsQuestions, onWake } = options;
    const hold = (held: Disposable) => this.#held.push(held);
    hold(voice.onEvent((event) => event.kind === 'turn' && this.#follow(event.turn)));
    if (endsQuestions) {
      hold(speech.watch({ ended: () => this.#question && voice.finish() }));
    }
    if (engine) {
      // The detector first: it tells the engine whether it is worth looking.
      hold(microphone.listen(speech.hear));
      hold(microphone.listen(engine.hear));
      hold(engine.watch((word) => onWake(word)));
    }
  }

  health(): Health {
    const { clock } = this.#options;
    const model = this.#engine?.model;
    if (!model) return { state: 'ready', reason: 'speech detection' };
    // Who does not say under what licence it listens has not been asked for it: the owner has to know.
    const reason = `wake word ${model.word}, ${model.licence}`;
    const agoMs = clock.now() - (this.#engine?.heardAt ?? 0);
    if (!Number.isFinite(agoMs)) return { state: 'ready', reason };
    return { state: 'ready', reason, proof: { what: 'sound heard', at: clock.wall() - agoMs } };
  }

  fail(fault: Fault): void {
    this.#end({ asked: false, code: fault.code, reason: fault.message });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#question?.[Symbol.dispose]();
    for (const held of this.#held) held[Symbol.dispose]();
    await this.#engine?.[Symbol.asyncDispose]();
    await this.#speech[Symbol.asyncDispose]();
    this.#end({ asked: true, reason: 'stopped' });
  }

  #follow({ phase, typed }: Turn): void {
    const { microphone, endsQuestions } = this.#options;
    if (this.#engine) this.#engine.speaking = phase.at === 'speaking';
    // Nobody listens to who types.
    const isAsked = phase.at === 'listening' || (phase.at === 'connecting' && !typed);
    if (isAsked && !this.#question) {
      this.#speech.reset();
      const isHeard = this.#engine !== undefined || !endsQuestions;
      this.#question = isHeard ? { [Symbol.dispose]: () => {} } : microphone.listen(this.#speech.hear);
    } else if (!isAsked) {
      this.#question?.[Symbol.dispose]();
      this.#question = undefined;
    }
  }
}
