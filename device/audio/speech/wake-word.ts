import { Fault, messageOf } from '#kernel/fault.ts';
import { Chunker } from '../microphone/chunker.ts';
import type { Listener } from '../microphone/microphone.ts';
import { OnnxQueue } from './onnx-queue.ts';
import type { SpeechDetector } from './speech-detector.ts';
import type { WakeEngine, WakeModel, WakeWatcher } from './wake-engine.ts';
import { WAKE_STEP } from './wake-word-features.ts';
import { findWakeWord } from './wake-word-models.ts';
import { openWakeWordScorer, type WakeWordScorer } from './wake-word-scorer.ts';
import { WakeTrigger } from './wake-word-trigger.ts';

/**
 * Steps that wait at most, 1.3 s: what is looked at afterwards when speech is found, and what a slow machine may be
 * behind before it loses the oldest.
 */
const MAX_WAITING = 16;
/** Steps are looked at for so long after the last window that may have been speech (audio notes 4). */
const AFTER_SPEECH_MS = 1000;
/** A recorder that is silent for so long is ended: what comes after it is another recording, and no word spans both. */
const GAP_MS = 1500;

export interface WakeWordOptions {
  /** The name of a model in `folder`, or a ready-made one. */
  readonly word: string;
  /** Folder of own models (NAME.onnx); `''`: none. */
  readonly folder: string;
  /** Folder of openWakeWord's models: melspectrogram.onnx, embedding_model.onnx and the ready-made words. */
  readonly models: string;
  /** How sure the word has to be; 0.01 to 0.99. */
  readonly threshold: number;
  /**
   * Hears the same microphone. With it, sound that is no speech costs nothing here: steps wait and go, and the last
   * 1.3 s are looked at as soon as it finds speech. Without it, or once it has a fault, every step is looked at.
   */
  readonly speech?: Pick<SpeechDetector, 'likelyAt' | 'fault'>;
  /** The model failed while it ran (AUDIO_MODEL). Called once. */
  readonly onFault?: (fault: Fault) => void;
}

/** Loads openWakeWord and the word (onnxruntime-node with the first model) and tries them. Rejects with AUDIO_MODEL. */
export async function openWakeWord(options: WakeWordOptions): Promise<WakeEngine> {
  const { word, folder, models } = options;
  const { file, licence } = findWakeWord(word, folder, models);
  const scorer = await openWakeWordScorer(file, models);
  return wakeWordOf({ engine: 'openWakeWord', word, file, licence }, scorer, options);
}

/** An engine on models that are loaded already, and are its to dispose. */
export function wakeWordOf(model: WakeModel, scorer: WakeWordScorer, options: HearingOptions): WakeEngine {
  return new OpenWakeWord(model, scorer, options);
}

type HearingOptions = Pick<WakeWordOptions, 'threshold' | 'speech' | 'onFault'>;

interface Step {
  readonly samples: Int16Array;
  readonly at: number;
  /** Counts all steps, so that one that is missing before this shows. */
  readonly count: number;
}

class OpenWakeWord implements WakeEngine {
  readonly model: WakeModel;
  speaking = false;
  heardAt = Number.NEGATIVE_INFINITY;
  fault: Fault | undefined;
  readonly #scorer: WakeWordScorer;
  readonly #speech: WakeWordOptions['speech'];
  readonly #trigger: WakeTrigger;
  readonly #watchers = new Set<{ readonly watcher: WakeWatcher }>();
  readonly #steps: Chunker;
  readonly #queue: OnnxQueue<Step>;
  /** Changed by `reset`, so that a step under way is known to be of the past. */
  #life = {};
  #count = 0;
  /** The step that follows on what the models have seen. */
  #next = 0;

  constructor(model: WakeModel, scorer: WakeWordScorer, options: HearingOptions) {
    this.model = model;
    this.#scorer = scorer;
    this.#speech = options.speech;
    this.#trigger = new WakeTrigger(options.threshold);
    this.#steps = new Chunker(WAKE_STEP, (samples, at) => this.#take(samples, at));
    this.#queue = new OnnxQueue<Step>({
      limit: MAX_WAITING,
      work: (step) => this.#judge(step),
      failed: (error) => {
        this.fault =
          error instanceof Fault ? error : new Fault('INTERNAL', messageOf(error), { cause: error });
        options.onFault?.(this.fault);
      },
    });
  }

  readonly hear: Listener = (chunk, at) => {
    if (this.#count > 0 && at - this.heardAt > GAP_MS) this.reset();
    this.heardAt = at;
    this.#steps.push(chunk, at);
  };

  watch(watcher: WakeWatcher): Disposable {
    const own = { watcher }; // the same watcher twice is two
    this.#watchers.add(own);
    return { [Symbol.dispose]: () => this.#watchers.delete(own) };
  }

  reset(): void {
    this.#steps.reset();
    this.#queue.clear();
    this.#count++; // a gap: what comes next follows on silence
    this.#life = {};
  }

  get dropped(): number {
    return this.#queue.dropped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watchers.clear();
    await this.#queue[Symbol.asyncDispose]();
    await this.#scorer[Symbol.asyncDispose]();
  }

  #take(samples: Int16Array, at: number): void {
    const speech = this.#speech;
    const mayBeSpeech = !speech || speech.fault !== undefined || at - speech.likelyAt <= AFTER_SPEECH_MS;
    this.#queue.held = !mayBeSpeech;
    this.#queue.push({ samples, at, count: this.#count++ });
  }

  async #judge({ samples, at, count }: Step): Promise<void> {
    if (count !== this.#next) this.#scorer.reset();
    this.#next = count + 1;
    const life = this.#life;
    const score = await this.#scorer.score(samples);
    if (life !== this.#life || !this.#trigger.push(score, at, this.speaking)) return;
    for (const { watcher } of this.#watchers) watcher(this.model.word, score, at);
  }
}
