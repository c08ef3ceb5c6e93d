import { Fault, messageOf } from '#kernel/fault.ts';
import { MAX_PACKET_MS, packetMs } from './packet.ts';
import { PLAYED_HZ } from './speaker/speaker.ts';

/** Encodes 60 ms at a time (960 samples of 16 kHz): a self-hosted cloud decodes no longer frames (cloud protocol 2.6). */
export interface OpusEncoder extends Disposable {
  encode(frame: Int16Array): Uint8Array;
}

/** Decodes to the rate that it was made for, whatever the encoder had. */
export interface OpusDecoder extends Disposable {
  /** Throws a Fault (AUDIO_PACKET) for what is no Opus packet or longer than 120 ms. */
  decode(packet: Uint8Array): Int16Array;
  /** Fills a gap with what plausibly went on. */
  conceal(ms: number): Int16Array;
  /** Forgets the last utterance. */
  reset(): void;
}

/**
 * OpusCodec: where encoders and decoders come from; another library goes behind the same face. Disposing frees what lies
 * ready; whoever has taken something frees that.
 */
export interface OpusCodec extends Disposable {
  encoder(): OpusEncoder;
  decoder(rateHz: number): OpusDecoder;
}

/** Samples of one frame to encode: 60 ms of 16 kHz. */
export const FRAME = 960;
const SPOKEN_HZ = 16_000;
/** Enough for the word error rate of the original (audio notes 5), a fifth of what a phone call takes. */
const BITS_PER_SECOND = 24_000;
/** 0.45 ms a frame where 10 takes 0.81 (x64, speech), and pocketsphinx hears the same words after 0, 5 and 10. */
const COMPLEXITY = 5;
/** The library makes its states asynchronously and cannot clear one: so many lie ready for whoever asks next. */
const SPARE = 2;

type Library = typeof import('libopus-wasm');

/**
 * Loads libopus as WebAssembly (some 20 MB, once) and makes ready what encoders and decoders of `rates` need. A codec of
 * other rates throws. Rates that Opus knows: 8, 12, 16, 24 and 48 kHz.
 */
export async function loadOpus(rates: readonly number[] = [PLAYED_HZ]): Promise<OpusCodec> {
  const library = await import('libopus-wasm');
  const encoders = await poolOf(() => newEncoder(library));
  const decoders = new Map<number, Pool<DecoderState>>();
  for (const rate of rates) decoders.set(rate, await poolOf(() => newDecoder(library, rate)));
  return {
    encoder: () => new WasmEncoder(encoders.take()),
    decoder: (rateHz) => {
      const pool = decoders.get(rateHz);
      if (!pool) throw new Fault('INTERNAL', `no Opus decoder was made ready for ${rateHz} Hz`);
      return new WasmDecoder(pool, rateHz);
    },
    [Symbol.dispose]() {
      for (const pool of [encoders, ...decoders.values()]) pool[Symbol.dispose]();
    },
  };
}

type EncoderState = Awaited<ReturnType<Library['createEncoder']>>;
type DecoderState = Awaited<ReturnType<Library['createDecoder']>>;

/**
 * VOIP, not AUDIO: the one that was measured to cost no word (audio notes 5), and it takes the rumble below the voice
 * away. No DTX: the cloud finds the end of a question in the silence that we send, and over TCP it saves nothing that
 * counts. No FEC: packets on a socket come late, never not at all (audio notes 2).
 */
function newEncoder({ createEncoder, Application, Signal }: Library): Promise<EncoderState> {
  return createEncoder({
    application: Application.Voip,
    signal: Signal.Voice,
    channels: 1,
    sampleRate: SPOKEN_HZ,
    frameSize: FRAME,
    bitrate: BITS_PER_SECOND,
    complexity: COMPLEXITY,
    dtx: false,
    fec: false,
  });
}

function newDecoder({ createDecoder }: Library, rateHz: number): Promise<DecoderState> {
  const sampleRate = rateHz as 8000 | 12000 | 16000 | 24000 | 48000; // the library refuses all others
  return createDecoder({ channels: 1, sampleRate, maxFrameSize: (rateHz / 1000) * MAX_PACKET_MS });
}

class WasmEncoder implements OpusEncoder {
  readonly #state: EncoderState;

  constructor(state: EncoderState) {
    this.#state = state;
  }

  encode(frame: Int16Array): Uint8Array {
    return this.#state.encode(frame);
  }

  [Symbol.dispose](): void {
    this.#state.free();
  }
}

class WasmDecoder implements OpusDecoder {
  readonly #pool: Pool<DecoderState>;
  readonly #rateHz: number;
  #state: DecoderState;
  #fresh = true;

  constructor(pool: Pool<DecoderState>, rateHz: number) {
    this.#pool = pool;
    this.#rateHz = rateHz;
    this.#state = pool.take();
  }

  decode(packet: Uint8Array): Int16Array {
    packetMs(packet);
    this.#fresh = false;
    try {
      return this.#state.decode(packet);
    } catch (error) {
      throw new Fault('AUDIO_PACKET', messageOf(error), { cause: error });
    }
  }

  /** In steps of 2.5 ms, 2.5 to 120. */
  conceal(ms: number): Int16Array {
    this.#fresh = false;
    const steps = Math.min(Math.max(Math.round(ms / 2.5), 1), MAX_PACKET_MS / 2.5);
    return this.#state.decode(null, { frameSize: (steps * 2.5 * this.#rateHz) / 1000 });
  }

  reset(): void {
    if (this.#fresh) return;
    const next = this.#pool.take();
    this.#state.free();
    this.#state = next;
    this.#fresh = true;
  }

  [Symbol.dispose](): void {
    this.#state.free();
  }
}

interface Pool<T> extends Disposable {
  /** Throws where more than `SPARE` are taken before the event loop turns. */
  take(): T;
}

/** The memory of a state is the library's: nobody collects what is not freed. */
async function poolOf<T extends { free(): void }>(make: () => Promise<T>): Promise<Pool<T>> {
  const ready: T[] = [];
  let isOver = false;
  const add = async () => {
    const made = await make();
    if (isOver) made.free();
    else ready.push(made);
  };
  for (let n = 0; n < SPARE; n++) await add();
  return {
    take() {
      const taken = ready.pop();
      // Also where there was none: after a moment without memory there is one again. What fails is told at a later take.
      add().catch(() => {});
      if (!taken) throw new Fault('INTERNAL', `more than ${SPARE} Opus states were asked for at once`);
      return taken;
    },
    [Symbol.dispose]() {
      isOver = true;
      for (const state of ready.splice(0)) state.free();
    },
  };
}
