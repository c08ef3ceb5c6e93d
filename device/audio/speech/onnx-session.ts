import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { Fault, messageOf } from '#kernel/fault.ts';

type Runtime = typeof import('onnxruntime-node');
/** A tensor's name and shape; what is no number is free. */
export type OnnxPort = { readonly name: string; readonly shape: readonly (number | string)[] };

/** OnnxSession: the one owner of a loaded model. Disposing waits for the run under way, then frees the model. */
export interface OnnxSession extends AsyncDisposable {
  readonly file: string;
  readonly inputs: readonly OnnxPort[];
  readonly outputs: readonly OnnxPort[];
  /** A tensor over `data`, to be used again: a run reads what stands there when it begins. */
  tensor(data: Float32Array | BigInt64Array, shape: readonly number[]): Tensor;
  /**
   * One run at a time, the next one after the last has settled. It blocks the event loop while it computes: the runtime
   * has no thread for it. The outputs are in the order of `outputs`. Rejects with AUDIO_MODEL.
   */
  run(feeds: Readonly<Record<string, Tensor>>): Promise<readonly OnnxOutput[]>;
}

interface OnnxOutput {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/**
 * Little of the machine: one thread, no arena that keeps the largest demand for ever, and only those rewrites of the
 * graph that the runtime calls basic (3 MB less than all of them for the wake word, and 0.3 % of a core more).
 */
const OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ['cpu'],
  executionMode: 'sequential',
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  enableCpuMemArena: false,
  graphOptimizationLevel: 'basic',
  logSeverityLevel: 3, // errors: its warnings about a model are not the owner's to mend
};

/** Loads a model. Rejects with AUDIO_MODEL: no such file, no model, or a runtime that this machine cannot load. */
export async function openOnnx(file: string): Promise<OnnxSession> {
  if (!existsSync(file)) throw unfit(file, 'a model file', 'no such file');
  const runtime = await loadRuntime();
  try {
    return new LoadedSession(file, runtime, await runtime.InferenceSession.create(file, OPTIONS));
  } catch (error) {
    throw unfit(file, 'a model in ONNX format', messageOf(error), error);
  }
}

/** The Fault for a model that is not what it should be. */
export function unfit(file: string, expected: string, got: string, cause?: unknown): Fault {
  return new Fault('AUDIO_MODEL', `${basename(file)}: expected ${expected}, got ${got} (${file})`, { cause });
}

async function loadRuntime(): Promise<Runtime> {
  try {
    return await import('onnxruntime-node');
  } catch (error) {
    const got = messageOf(error).split('\n', 1)[0];
    throw new Fault('AUDIO_MODEL', `onnxruntime-node cannot be loaded on this machine: ${got}`, {
      cause: error,
    });
  }
}

class LoadedSession implements OnnxSession {
  readonly file: string;
  readonly inputs: readonly OnnxPort[];
  readonly outputs: readonly OnnxPort[];
  readonly #runtime: Runtime;
  readonly #session: InferenceSession;
  #running: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(file: string, runtime: Runtime, session: InferenceSession) {
    this.file = file;
    this.#runtime = runtime;
    this.#session = session;
    this.inputs = session.inputMetadata.map(portOf);
    this.outputs = session.outputMetadata.map(portOf);
  }

  tensor(data: Float32Array | BigInt64Array, shape: readonly number[]): Tensor {
    const { Tensor } = this.#runtime;
    return data instanceof Float32Array
      ? new Tensor('float32', data, shape)
      : new Tensor('int64', data, shape);
  }

  async run(feeds: Readonly<Record<string, Tensor>>): Promise<readonly OnnxOutput[]> {
    if (this.#closing) throw unfit(this.file, 'an open model', 'one that is closed');
    const run = this.#session.run(feeds);
    this.#running = run.catch(() => {}); // told by the run itself; disposing only waits for it
    try {
      const found = await run;
      return this.outputs.map(({ name }) => {
        const { data, dims } = found[name] as Tensor;
        return { data: data as Float32Array, shape: dims };
      });
    } catch (error) {
      throw unfit(this.file, 'a result', messageOf(error), error);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#running.then(() => this.#session.release());
    return this.#closing;
  }
}

function portOf(meta: InferenceSession.ValueMetadata): OnnxPort {
  return { name: meta.name, shape: meta.isTensor ? meta.shape : [] };
}
