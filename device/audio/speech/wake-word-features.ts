import type { Tensor } from 'onnxruntime-node';
import { type OnnxSession, unfit } from './onnx-session.ts';
import { expectNumbers, expectPort } from './onnx-shape.ts';

/** Samples of one step: 80 ms. */
export const WAKE_STEP = 1280;
/** Values that stand for a step. */
export const EMBEDDING = 96;
/** Samples before a step that its spectrum also needs: 30 ms. */
const BEFORE = 480;
const BANDS = 32;
/** Rows of spectrum, 10 ms each: those of a step, and those that an embedding is made of. */
const STEP_ROWS = 8;
const WINDOW_ROWS = 76;

/** The two models of openWakeWord that every word stands on; they stay their owner's. */
export interface FeatureModels {
  readonly spectrum: OnnxSession;
  readonly embedding: OnnxSession;
}

/**
 * WakeWordFeatures: what was heard, as the last `count` embeddings. Numbers as openWakeWord's own pipeline: samples as
 * floats of 16 bit size, spectrum / 10 + 2, 76 rows to an embedding, 8 rows on with each step (audio notes 4).
 */
export class WakeWordFeatures {
  readonly #models: FeatureModels;
  readonly #samples = new Float32Array(BEFORE + WAKE_STEP);
  readonly #rows = new Float32Array(WINDOW_ROWS * BANDS);
  readonly #embeddings: Float32Array;
  readonly #silentRow = new Float32Array(BANDS);
  readonly #silentEmbedding = new Float32Array(EMBEDDING);
  readonly #spectrumFeeds: Record<string, Tensor>;
  readonly #embeddingFeeds: Record<string, Tensor>;

  private constructor(models: FeatureModels, count: number, ports: readonly [string, string]) {
    this.#models = models;
    this.#embeddings = new Float32Array(count * EMBEDDING);
    this.#spectrumFeeds = { [ports[0]]: models.spectrum.tensor(this.#samples, [1, this.#samples.length]) };
    this.#embeddingFeeds = {
      [ports[1]]: models.embedding.tensor(this.#rows, [1, WINDOW_ROWS, BANDS, 1]),
    };
  }

  /** Tries both models with silence. Rejects with AUDIO_MODEL, which says what does not fit. */
  static async of(models: FeatureModels, count: number): Promise<WakeWordFeatures> {
    const { spectrum, embedding } = models;
    const heard = expectPort(spectrum.file, 'an input', spectrum.inputs[0], [null, null]);
    const window = [null, WINDOW_ROWS, BANDS, 1];
    const seen = expectPort(embedding.file, 'an input', embedding.inputs[0], window);
    const features = new WakeWordFeatures(models, count, [heard.name, seen.name]);
    await features.#learnSilence();
    return features;
  }

  /** The last `count` embeddings, the latest at the end. The same array each time. */
  get latest(): Float32Array {
    return this.#embeddings;
  }

  /** Takes the next step. One at a time. */
  async push(step: Int16Array): Promise<void> {
    this.#samples.copyWithin(0, WAKE_STEP);
    this.#samples.set(step, BEFORE);
    const rows = await this.#spectrum();
    this.#rows.copyWithin(0, rows.length);
    this.#rows.set(rows, this.#rows.length - rows.length);
    const embedding = await this.#embed();
    this.#embeddings.copyWithin(0, EMBEDDING);
    this.#embeddings.set(embedding, this.#embeddings.length - EMBEDDING);
  }

  /** As if there had always been silence: a word can be heard from the next step on. */
  reset(): void {
    this.#samples.fill(0);
    fillWith(this.#rows, this.#silentRow);
    fillWith(this.#embeddings, this.#silentEmbedding);
  }

  async #learnSilence(): Promise<void> {
    this.#silentRow.set((await this.#spectrum()).subarray(0, BANDS));
    fillWith(this.#rows, this.#silentRow);
    this.#silentEmbedding.set(await this.#embed());
    this.reset();
  }

  async #spectrum(): Promise<Float32Array> {
    const { spectrum } = this.#models;
    const [output] = await spectrum.run(this.#spectrumFeeds);
    const shape = output?.shape.at(-1);
    if (!output || shape !== BANDS) throw unfit(spectrum.file, `${BANDS} bands`, `${shape}`);
    return expectNumbers(spectrum.file, 'a spectrum', output.data, STEP_ROWS * BANDS).map(
      (value) => value / 10 + 2,
    );
  }

  async #embed(): Promise<Float32Array> {
    const { embedding } = this.#models;
    const [output] = await embedding.run(this.#embeddingFeeds);
    return expectNumbers(embedding.file, 'an embedding', output?.data ?? new Float32Array(), EMBEDDING);
  }
}

function fillWith(target: Float32Array, piece: Float32Array): void {
  for (let at = 0; at < target.length; at += piece.length) target.set(piece, at);
}
