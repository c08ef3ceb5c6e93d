import type { Code } from '#kernel/codes.ts';
import { Fault } from '#kernel/fault.ts';
import type { Conversation, ConversationEvents } from './conversation.ts';
import { createSessionCounters } from './session/counters.ts';
import type { ListenMode } from './session/session.ts';
import { type Caller, freshTurn, type Turn } from './turn/words.ts';

/** Sentences of an answer to a typed question that are kept, and their letters; a cloud that says more is no longer answering. */
const MAX_SENTENCES = 1000;
const MAX_LETTERS = 256 << 10;

/** What others can be told of a conversation. */
export type VoiceEvent =
  | { readonly kind: 'turn'; readonly turn: Turn }
  | { readonly kind: 'failed'; readonly code: Code }
  | { readonly kind: 'heard' | 'sentence' | 'alert'; readonly text: string }
  | { readonly kind: 'refused muted' };

/**
 * Voice: the conversation as the rest of the appliance has it, across every restart of its service. While the service
 * does not run, calls mean nothing and a typed question is refused.
 */
export class Voice {
  /** What the cloud said and nobody could use, since the start. */
  readonly counters = createSessionCounters();
  readonly #listeners = new Set<(event: VoiceEvent) => void>();
  #conversation: Conversation | undefined;
  #muted = false;
  /** By the conversations that are over. */
  #lostBefore = 0;
  #why = new Fault('VOICE_OFF', 'voice is not set up');

  /** What a conversation of the service tells is passed on to whoever listens here. */
  readonly events: Omit<ConversationEvents, 'opened'> = {
    turn: (turn) => this.#tell({ kind: 'turn', turn }),
    failed: (code) => this.#tell({ kind: 'failed', code }),
    heard: (text) => this.#tell({ kind: 'heard', text }),
    sentence: (text) => this.#tell({ kind: 'sentence', text }),
    alert: (text) => this.#tell({ kind: 'alert', text }),
    refusedMuted: () => this.#tell({ kind: 'refused muted' }),
  };

  get turn(): Turn {
    return this.#conversation?.turn ?? freshTurn('auto', this.#muted);
  }

  get mode(): ListenMode {
    return this.turn.mode;
  }

  /** Packets that were damaged or had to be dropped, since the start. */
  get lost(): number {
    return this.#lostBefore + (this.#conversation?.lost ?? 0);
  }

  get muted(): boolean {
    return this.#muted;
  }

  /** Who calls now is told that the microphone is off. */
  get refuses(): boolean {
    return this.#muted && this.turn.phase.at === 'idle';
  }

  /** The conversation that is to be had from now on, or why there is none. */
  attach(conversation: Conversation | Fault): void {
    this.#lostBefore = this.lost;
    this.#conversation = conversation instanceof Fault ? undefined : conversation;
    if (conversation instanceof Fault) this.#why = conversation;
    this.#tell({ kind: 'turn', turn: this.turn });
  }

  onEvent(listener: (event: VoiceEvent) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  /** As of Conversation. */
  call(caller: Caller, heldUntil?: number): void {
    this.#conversation?.call(caller, heldUntil);
  }

  letLeave(): void {
    this.#conversation?.letLeave();
  }

  withdraw(): void {
    this.#conversation?.withdraw();
  }

  finish(): void {
    this.#conversation?.finish();
  }

  stop(): void {
    this.#conversation?.stop();
  }

  mute(on: boolean): void {
    this.#muted = on;
    this.#conversation?.mute(on);
  }

  /**
   * Puts a typed question; resolves with the sentences of its answer when that has been heard. Rejects with VOICE_OFF and
   * the like where there is nobody to ask, VOICE_BUSY in a turn, STOPPED when somebody ended it, or why the exchange failed.
   */
  async say(
    text: string,
    onSentence: (text: string) => void,
    signal: AbortSignal,
  ): Promise<{ sentences: readonly string[] }> {
    if (!this.#conversation) throw new Fault(this.#why.code, this.#why.message);
    const sentences: string[] = [];
    let letters = 0;
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    let failure: Code | undefined;
    using _listening = this.onEvent((event) => {
      if (event.kind === 'failed') failure = event.code;
      if (event.kind === 'sentence' && sentences.length < MAX_SENTENCES && letters < MAX_LETTERS) {
        const text = event.text.slice(0, MAX_LETTERS - letters);
        letters += text.length;
        sentences.push(text);
        onSentence(text);
      }
      if (event.kind === 'turn' && (event.turn.phase.at === 'idle' || !event.turn.typed)) end();
    });
    if (!this.#conversation.say(text)) throw new Fault('VOICE_BUSY', 'a turn goes on');
    const stop = () => this.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await over;
    signal.removeEventListener('abort', stop);
    if (failure !== undefined) throw new Fault(failure, 'the question was not answered');
    if (sentences.length === 0) throw new Fault('STOPPED', 'the turn ended before an answer came');
    return { sentences };
  }

  #tell(event: VoiceEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}
