import { Fault, messageOf } from '#kernel/fault.ts';
import { Chunker } from '../microphone/chunker.ts';
import { HEARD_HZ, type Listener } from '../microphone/microphone.ts';
import { OnnxQueue } from './onnx-queue.ts';
import { SpeechEdges } from './speech-detector-edges.ts';
import { openSpeechModel, SPEECH_WINDOW, type SpeechModel } from './speech-detector-model.ts';

const WINDOW_MS = (SPEECH_WINDOW * 1000) / HEARD_HZ;
/** Windows that wait at most: half a second. A machine that is further behind loses the oldest. */
const MAX_WAITING = 16;
/**
 * While it is quiet, windows are judged so many together: the model then comes into a cold cache once in 256 ms and not
 * eight times, which takes a half to two thirds of the computing away. As soon as one may be speech each is judged at once.
 */
const QUIET_BURST = 8;
/**
 * No sample of the window is further from zero than this: silence, and the model is not asked. Speech as faint as that
 * never came near 0.3 (four voices, tried in steps), and a microphone on I2S is so quiet in a still room.
 */
const FAINT = 8;
/** A window this likely may be speech: what a wake word has to be near of (audio notes 4). */
const LIKELY = 0.3;

/** What is told of speech. `at` is when it happened (Clock.now), which is before it is known. */
interface SpeechWatcher {
  /** Somebody speaks; told once 96 ms of it were heard, and up to 256 ms after that. */
  started?(at: number): void;
  /** Nobody spoke for `speechEndMs` since `at`. */
  ended?(at: number): void;
}

/** SpeechDetector: whether what is heard is speech. */
export interface SpeechDetector extends AsyncDisposable {
  /** For Microphone.listen. Never waits; windows over half a second behind are lost and counted. */
  readonly hear: Listener;
  watch(watcher: SpeechWatcher): Disposable;
  /** Forgets what was heard, and tells nothing of it: for a new question, and after a gap. */
  reset(): void;
  /** How likely the last window was speech; 0 to 1. */
  readonly probability: number;
  /** Between `started` and `ended`. */
  readonly speaking: boolean;
  /** When a window was last more likely speech than 0.3 (Clock.now); -Infinity before. */
  readonly likelyAt: number;
  /** Windows (32 ms) lost because the machine is too slow. */
  readonly dropped: number;
  /** Set for good when the model failed while it ran: nothing is detected any more, open another. */
  readonly fault: Fault | undefined;
}

export interface SpeechDetectorOptions {
  /** Model file, Silero v5. */
  readonly model: string;
  /** Silence that ends speech; ms, 100 to 10,000. */
  readonly speechEndMs: number;
  /** The model failed while it ran (AUDIO_MODEL). Called once. */
  readonly onFault?: (fault: Fault) => void;
}

/** Loads the model (onnxruntime-node with the first one) and tries it. Rejects with AUDIO_MODEL. */
export async function openSpeechDetector(options: SpeechDetectorOptions): Promise<SpeechDetector> {
  return speechDetectorOf(await openSpeechModel(options.model), options);
}

/** A detector on a model that is loaded already, and is its to dispose. */
export function speechDetectorOf(
  model: SpeechModel,
  options: Pick<SpeechDetectorOptions, 'speechEndMs' | 'onFault'>,
): SpeechDetector {
  return new ModelDetector(model, options);
}

class ModelDetector implements SpeechDetector {
  probability = 0;
  likelyAt = Number.NEGATIVE_INFINITY;
  fault: Fault | undefined;
  readonly #model: SpeechModel;
  readonly #edges: SpeechEdges;
  readonly #queue: OnnxQueue<{ readonly window: Int16Array; readonly at: number }>;
  readonly #windows: Chunker;
  readonly #watchers = new Set<{ readonly watcher: SpeechWatcher }>();
  #faint = false;
  /** Changed by `reset`, so that a window under way is known to be of the past. */
  #life = {};

  constructor(model: SpeechModel, options: Pick<SpeechDetectorOptions, 'speechEndMs' | 'onFault'>) {
    this.#model = model;
    this.#edges = new SpeechEdges({ endMs: options.speechEndMs, windowMs: WINDOW_MS });
    this.#queue = new OnnxQueue({
      limit: MAX_WAITING,
      work: ({ window, at }) => this.#judge(window, at),
      failed: (error) => {
        this.fault =
          error instanceof Fault ? error : new Fault('INTERNAL', messageOf(error), { cause: error });
        options.onFault?.(this.fault);
      },
    });
    this.#windows = new Chunker(SPEECH_WINDOW, (window, at) => this.#take(window, at));
  }

  readonly hear: Listener = (chunk, at) => this.#windows.push(chunk, at);

  watch(watcher: SpeechWatcher): Disposable {
    const own = { watcher }; // the same watcher twice is two
    this.#watchers.add(own);
    return { [Symbol.dispose]: () => this.#watchers.delete(own) };
  }

  reset(): void {
    this.#life = {};
    this.#windows.reset();
    this.#queue.clear();
    this.#model.reset();
    this.#edges.reset();
    this.probability = 0;
    this.likelyAt = Number.NEGATIVE_INFINITY;
  }

  get speaking(): boolean {
    return this.#edges.speaking;
  }

  get dropped(): number {
    return this.#queue.dropped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watchers.clear();
    await this.#queue[Symbol.asyncDispose]();
    await this.#model[Symbol.asyncDispose]();
  }

  #take(window: Int16Array, at: number): void {
    const quiet = this.#edges.quiet && this.probability <= LIKELY;
    this.#queue.held = quiet && this.#queue.waiting + 1 < QUIET_BURST;
    this.#queue.push({ window, at });
  }

  async #judge(window: Int16Array, at: number): Promise<void> {
    const life = this.#life;
    const probability = await this.#probabilityOf(window);
    if (life !== this.#life) return;
    this.probability = probability;
    if (probability > LIKELY) this.likelyAt = at;
    const edge = this.#edges.push(probability, at);
    if (edge) for (const { watcher } of this.#watchers) watcher[edge.what]?.(edge.at);
  }

  async #probabilityOf(window: Int16Array): Promise<number> {
    const faint = isFaint(window);
    if (faint && !this.#faint) this.#model.reset(); // silence has no past
    this.#faint = faint;
    return faint ? 0 : this.#model.judge(window);
  }
}

function isFaint(window: Int16Array): boolean {
  return window.every((sample) => sample <= FAINT && sample >= -FAINT);
}
