import type OpenAI from 'openai';
import { type Clock, systemClock } from '#kernel/clock.ts';
import type { Line } from './conversation.ts';
import { type Piece, Reply } from './reply.ts';

/** A tool as a model is told of it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
}

/** Model: whatever continues a conversation. One request, no retry; what fails is thrown as it came. */
export type Model = (request: {
  readonly lines: readonly Line[];
  /** None: the model has to answer in words. */
  readonly tools: readonly OfferedTool[];
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
}) => Promise<Reply>;

export interface ServiceOptions {
  readonly model: string;
  /** Up to and without `/chat/completions`: `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** Default: none. Services on this machine ask for none. */
  readonly apiKey?: string | undefined;
  /** A service that sends nothing for so long is given up; ms. Default 120,000: a small machine loads a model first. */
  readonly quietMs?: number;
  readonly clock?: Clock;
}

/** A model behind the chat-completions interface: of OpenAI, OpenRouter, Ollama, llama.cpp and their like. */
export function openaiModel(options: ServiceOptions): Model {
  const { model, quietMs = 120_000, clock = systemClock } = options;
  let client: Promise<OpenAI> | undefined;
  return async ({ lines, tools, signal, onText }) => {
    client ??= connect(options, quietMs);
    const { chat } = await client;
    signal.throwIfAborted();
    const quiet = new AbortController();
    const give = () => quiet.abort(new Error(`the service sent nothing for ${quietMs} ms`));
    let timer = clock.timer(quietMs, give);
    const either = AbortSignal.any([signal, quiet.signal]);
    try {
      const stream = await chat.completions.create(
        {
          model,
          stream: true,
          messages: [...lines],
          ...(tools.length === 0
            ? {}
            : { tools: tools.map((tool) => ({ type: 'function' as const, function: { ...tool } })) }),
        },
        { signal: either },
      );
      const reply = new Reply();
      for await (const piece of stream) {
        timer[Symbol.dispose]();
        timer = clock.timer(quietMs, give);
        const text = reply.take(piece as Piece);
        if (text !== '') onText(text);
      }
      // The library ends a stream that was aborted as if it were whole.
      either.throwIfAborted();
      return reply;
    } catch (error) {
      either.throwIfAborted();
      throw error;
    } finally {
      timer[Symbol.dispose]();
    }
  };
}

/** Loaded only now: the library takes its time, and whoever asks no model needs none of it. */
async function connect({ baseUrl, apiKey }: ServiceOptions, timeout: number): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    baseURL: baseUrl,
    // The library insists on one.
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    // Retries are the host's: it alone knows what has been said and done already.
    maxRetries: 0,
    timeout,
    logLevel: 'off',
  });
}
