import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { Ending, Health, Proof, Run } from '#kernel/service.ts';
import { type Asking, askCard } from './ask-card.ts';
import { formatText } from './card-formats.ts';
import { Chunker } from './chunker.ts';
import { CHUNK, HEARD_HZ, type Listener } from './microphone.ts';
import { Recorder } from './recorder.ts';
import type { StartRecording } from './recorder-program.ts';
import { type CardFormat, Resampler } from './resample.ts';

/** Who hears, as far as a capture has to know. */
export interface Ear {
  readonly wanted: boolean;
  readonly muted: boolean;
  readonly hear: Listener;
}

export interface CaptureOptions extends Pick<Asking, 'device' | 'title' | 'refused' | 'clock'> {
  readonly ear: Ear;
  readonly start: StartRecording;
  readonly log: Log;
}

/** No sound from a card that works, for so long: it hangs (audio notes 1). */
const STALL_MS = 1500;
/**
 * Sound that is so much longer than the time in which it came is no microphone's: ALSA's devices `null` and `file` give
 * what they have at once, and would cost a core. What waited for a program that was held up is less (audio notes 1).
 */
const AHEAD_MS = 5000;
const WINDOW_MS = 10_000;

/** What a capture does now. It asks the card as soon as it may, and records only while somebody listens. */
type Step = 'nothing' | 'ask' | 'record';

/**
 * Capture: one life of a microphone. Ends by itself, with a code, as soon as a recorder fails.
 *
 * INVARIANT: only `#tend` opens recorders, one after the other and each gone before the next, so that there are never
 * two. `update` and disposing only stop the present one.
 */
export class Capture implements Run {
  readonly ended: Promise<Ending>;
  readonly #options: CaptureOptions;
  /** Resolves when the card is known to open, or nobody may ask it, or the capture is over. */
  readonly #settled: Promise<void>;
  #settle: () => void = () => {};
  #end: (ending: Ending) => void = () => {};
  #over: { readonly fault?: Fault } | undefined;
  #format: CardFormat | undefined;
  #recorder: Recorder | undefined;
  #present: { readonly step: Step; readonly leave: AbortController } | undefined;
  #busy = false;
  #work: Promise<void> = Promise.resolve();
  #proof: Proof | undefined;

  constructor(options: CaptureOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** A recorder process exists. */
  get capturing(): boolean {
    return this.#recorder !== undefined;
  }

  /** Resolves when the card is known to open; at once while muted. Rejects with the Fault that says why it does not. */
  async open(): Promise<void> {
    this.update();
    await this.#settled;
    if (this.#over?.fault) throw this.#over.fault;
  }

  /** Somebody listens or does not, is muted or is not: to be called after each change. What has to stop is told so at once. */
  update(): void {
    if (this.#present && this.#present.step !== this.#step()) this.#present.leave.abort();
    if (!this.#busy) this.#work = this.#tend();
  }

  health(): Health {
    const { device, ear } = this.#options;
    const muted = ear.muted ? ', muted' : '';
    const proof = this.#proof && { proof: this.#proof };
    return { state: 'ready', reason: `${device}: ${conversion(this.#format)}${muted}`, ...proof };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#finish({ asked: true, reason: 'stopped' });
    await this.#work;
  }

  #step(): Step {
    const { ear } = this.#options;
    if (this.#over || ear.muted) return 'nothing';
    if (!this.#format) return 'ask';
    return ear.wanted ? 'record' : 'nothing';
  }

  async #tend(): Promise<void> {
    this.#busy = true;
    for (let step = this.#step(); step !== 'nothing'; step = this.#step()) {
      const leave = new AbortController();
      this.#present = { step, leave };
      try {
        if (step === 'ask') await this.#ask(leave.signal);
        else await this.#record(this.#format!, leave.signal);
      } catch (error) {
        const fault = error instanceof Fault ? error : new Fault('INTERNAL', String(error), { cause: error });
        if (!leave.signal.aborted)
          this.#finish({ asked: false, code: fault.code, reason: fault.message }, fault);
      }
      this.#present = undefined;
    }
    this.#busy = false;
    this.#settle();
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { device, clock, log } = this.#options;
    const open: Asking['open'] = (format, flags, stallMs, hear) => this.#open(format, flags, stallMs, hear);
    this.#format = await askCard({ ...this.#options, open, signal });
    this.#proof = { what: 'opened', at: clock.wall() };
    log.info('card', { device, ...this.#format });
    this.#settle();
  }

  /** Records until nobody wants it any more. Rejects when the recorder ends before. */
  async #record(format: CardFormat, signal: AbortSignal): Promise<void> {
    const { ear, clock, log, device } = this.#options;
    const resampler = new Resampler(format);
    const bytesPerMs = (format.rateHz * format.channels * 2) / 1000;
    let since = clock.now();
    let heardMs = 0;
    let isTooFast = false;
    const chunker = new Chunker(CHUNK, (chunk, at) => {
      if (!signal.aborted) ear.hear(chunk, at);
    });
    const recorder = this.#open(format, [], STALL_MS, (bytes) => {
      if (signal.aborted || isTooFast) return;
      const now = clock.now();
      if (now - since > WINDOW_MS) {
        since = now;
        heardMs = 0;
      }
      heardMs += bytes.length / bytesPerMs;
      isTooFast = heardMs - (now - since) > AHEAD_MS;
      if (isTooFast) recorder.stop();
      this.#proof = { what: 'sound', at: clock.wall() };
      chunker.push(resampler.push(bytes), now);
    });
    signal.addEventListener('abort', () => recorder.stop(), { once: true });
    const { code, reason, stderr } = await recorder.ended;
    const overruns = stderr.match(/^overrun!!!/gm)?.length ?? 0;
    if (overruns > 0) log.warn('overrun', { times: overruns });
    if (signal.aborted) return;
    if (isTooFast) throw new Fault('AUDIO_FORMAT', `${device} gives sound faster than time: no microphone`);
    throw new Fault(code, `recorder ${reason}`);
  }

  #open(
    format: CardFormat,
    flags: readonly string[],
    stallMs: number,
    hear: (bytes: Buffer) => void,
  ): Recorder {
    const { start, clock } = this.#options;
    const recorder = new Recorder(start(format, flags), { stallMs, clock, hear });
    this.#recorder = recorder;
    void recorder.ended.then(() => {
      this.#recorder = undefined;
    });
    return recorder;
  }

  #finish(ending: Ending, fault?: Fault): void {
    if (this.#over) return;
    this.#over = fault ? { fault } : {};
    this.#present?.leave.abort();
    this.#settle();
    this.#end(ending);
  }
}

function conversion(format: CardFormat | undefined): string {
  if (!format) return 'not asked yet';
  const { rateHz, channels } = format;
  const isOurs = rateHz === HEARD_HZ && channels === 1;
  return isOurs ? formatText(format) : `${formatText(format)}, converted to ${HEARD_HZ} Hz mono`;
}
