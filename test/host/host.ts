import type { Random } from '#kernel/backoff.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { type AskedCall, callInText, readArguments } from './call.ts';
import { type Line, MEMORY, type Memory, trimmed } from './conversation.ts';
import { Gate, withoutThought } from './gate.ts';
import type { Model } from './model.ts';
import { inParallel } from './parallel.ts';
import type { Reply } from './reply.ts';
import { RETRY, type Retry, retried } from './retry.ts';
import { streamed } from './streamed.ts';
import type { ToolServer } from './tool-server.ts';
import { type Outcome, Toolbox } from './toolbox.ts';
import { untilAborted } from './until-aborted.ts';

export interface HostOptions {
  readonly model: Model;
  /** Their tools are the host's; closed with it. */
  readonly servers: readonly ToolServer[];
  /** Stands before every conversation. Default: none. */
  readonly system?: string;
  /** What was said before. */
  readonly history?: readonly Line[];
  readonly memory?: Partial<Memory>;
  /** Rounds of calls in a turn; then the model has to answer without any. Default 10. */
  readonly maxRounds?: number;
  /** Calls of one round that run at a time. Default 4. */
  readonly parallel?: number;
  readonly retry?: Partial<Retry>;
  /** Ends what runs, for good. */
  readonly signal?: AbortSignal;
  readonly onToken?: (text: string) => void;
  readonly onToolCall?: (name: string, args: unknown) => void;
  readonly onToolResult?: (name: string, outcome: Outcome) => void;
  /** A server that cannot tell its tools. */
  readonly onServerFault?: (server: string, error: unknown) => void;
  readonly clock?: Clock;
  /** For the waits between tries. */
  readonly random?: Random;
}

/** How one turn is followed and ended, beside what the host was given for all of them. */
export interface TurnOptions {
  readonly signal?: AbortSignal;
  readonly onToken?: (text: string) => void;
}

/** Makes a host: a model, tools, and the talk between the two. */
export function createHost(options: HostOptions): Host {
  return new Host(options);
}

const LAST = 'No more tools now. Answer with what you know so far.';

/**
 * Host: one conversation. Turns run one after the other. A turn that fails or is aborted leaves no trace in the
 * history, though what its tools did is done.
 */
export class Host implements AsyncDisposable {
  readonly #options: HostOptions;
  readonly #closed = new AbortController();
  readonly #signal: AbortSignal;
  #history: Line[];
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: HostOptions) {
    this.#options = options;
    this.#history = [...(options.history ?? [])];
    this.#signal = AbortSignal.any([this.#closed.signal, ...(options.signal ? [options.signal] : [])]);
  }

  /** What is remembered of what was said, tool calls and results included, without the system's words. */
  get history(): readonly Line[] {
    return this.#history;
  }

  /** Says something and waits for the whole answer: '' where the model has none. Rejects with what went wrong. */
  run(text: string, options: TurnOptions = {}): Promise<string> {
    const signal = AbortSignal.any([this.#signal, ...(options.signal ? [options.signal] : [])]);
    const onToken = (token: string) => {
      this.#options.onToken?.(token);
      options.onToken?.(token);
    };
    const turn = this.#last.then(() => this.#turn(text, signal, onToken));
    this.#last = turn.catch(() => undefined); // whoever asked is told
    return turn;
  }

  /** Says something; the answer comes in pieces as the model finds them. To stop reading ends the turn. */
  stream(text: string, { signal }: Pick<TurnOptions, 'signal'> = {}): AsyncGenerator<string, void> {
    return streamed((onToken, left) =>
      this.run(text, { onToken, signal: signal ? AbortSignal.any([signal, left]) : left }),
    );
  }

  /** Aborts what runs and closes the servers. */
  async close(): Promise<void> {
    this.#closed.abort(new Error('the host is closed'));
    await this.#last;
    await Promise.allSettled(this.#options.servers.map((server) => server.close?.()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #turn(text: string, signal: AbortSignal, onToken: (text: string) => void): Promise<string> {
    signal.throwIfAborted();
    const { servers, onServerFault = () => undefined, maxRounds = 10, memory } = this.#options;
    const toolbox = await untilAborted(Toolbox.open(servers, signal, onServerFault), signal);
    const before = trimmed(this.#history, { ...MEMORY, ...memory });
    const turn: Line[] = [{ role: 'user', content: text }];
    for (let round = 0; ; round++) {
      const last = round === maxRounds;
      const lines = [...before, ...turn, ...(last ? [{ role: 'user', content: LAST } as const] : [])];
      const reply = await this.#ask(lines, last ? undefined : toolbox, signal, onToken);
      if (last || reply.calls.length === 0) {
        const answer = reply.text.trim();
        if (answer !== '') this.#history = [...before, ...turn, { role: 'assistant', content: answer }];
        return answer;
      }
      turn.push(askedLine(reply), ...(await this.#callAll(reply.calls, toolbox, signal)));
    }
  }

  /** One request, again where the service is overloaded: no tool runs in it, so none runs twice. */
  async #ask(
    lines: readonly Line[],
    toolbox: Toolbox | undefined,
    signal: AbortSignal,
    onToken: (text: string) => void,
  ): Promise<Pick<Reply, 'text' | 'calls'>> {
    const { model, system, retry, clock = systemClock, random = Math.random } = this.#options;
    const whole: Line[] = system === undefined ? [...lines] : [{ role: 'system', content: system }, ...lines];
    const gate = new Gate(onToken, toolbox !== undefined);
    const reply = await retried(
      () => {
        gate.forget();
        return model({
          ...{ lines: whole, tools: toolbox?.offered ?? [], signal },
          onText: (text) => gate.take(text),
        });
      },
      { retry: { ...RETRY, ...retry }, clock, random, signal, again: () => !gate.isOpen },
    );
    const text = withoutThought(reply.text);
    const { calls } = reply;
    const isWritten = toolbox && calls.length === 0 && !gate.isOpen;
    const written = isWritten ? callInText(text, (name) => toolbox.has(name)) : undefined;
    if (written) return { text: '', calls: [{ id: 'call_1_written', ...written }] };
    gate.end();
    return { text, calls };
  }

  /** The results stand in the order of the calls, whichever came first. */
  async #callAll(calls: readonly AskedCall[], toolbox: Toolbox, signal: AbortSignal): Promise<Line[]> {
    const { parallel = 4, onToolCall, onToolResult } = this.#options;
    return await inParallel(calls, parallel, async (call) => {
      signal.throwIfAborted();
      onToolCall?.(call.name, call.args ?? {});
      const outcome = await untilAborted(toolbox.call(call, signal), signal);
      onToolResult?.(call.name, outcome);
      return { role: 'tool', tool_call_id: call.id, content: outcome.text };
    });
  }
}

/** Arguments that are no JSON are not sent back: some services take the line apart and fail for ever. */
function askedLine({ text, calls }: Pick<Reply, 'text' | 'calls'>): Line {
  const tool_calls = calls.map(({ id, name, args }) => {
    const read = readArguments(args);
    const sent = 'value' in read ? read.value : {};
    return { id, type: 'function' as const, function: { name, arguments: JSON.stringify(sent) } };
  });
  return { role: 'assistant', content: text === '' ? null : text, tool_calls };
}
