import { type Clock, within } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import { Fault } from '#kernel/fault.ts';
import type { ApplianceMessage, CloudMessage, Session } from './session/session.ts';

export interface LineOptions {
  readonly clock: Clock;
  /** Dials and says hello; rejects with a Fault. */
  readonly open: (signal: AbortSignal) => Promise<Session>;
  readonly on: {
    opened(): void;
    /** It could not be opened, or has ended unasked; without a code it has ended as conversations do. */
    lost(code: Code | undefined): void;
    audio(packet: Uint8Array): void;
    /** `reply` answers it in the session that it came from, and is nothing once that is gone. */
    message(message: CloudMessage, reply: (answer: ApplianceMessage) => void): void;
  };
}

/** A session that does not close within this is left to its own hard end. */
const HANG_UP_MS = 2000;

/** A session that takes nothing more is ending, and says why; after so long that is not waited for. */
const WHY_MS = 300;

/** Line: one session after another, never two at a time. What an earlier one still says is not heard. */
export class Line {
  readonly #options: LineOptions;
  #session: Session | undefined;
  #dialling: AbortController | undefined;
  #closing: Promise<unknown> = Promise.resolve();

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /** Opens a session when the last one is gone; `opened` or `lost` tells how it went. */
  dial(): void {
    const dialling = new AbortController();
    this.#dialling = dialling;
    const { open, on } = this.#options;
    this.#closing = this.#closing
      .then(() => open(dialling.signal))
      .then(
        (session) => (dialling.signal.aborted ? session[Symbol.asyncDispose]() : this.#adopt(session)),
        (error: unknown) => {
          if (!dialling.signal.aborted) on.lost(error instanceof Fault ? error.code : 'INTERNAL');
        },
      );
  }

  /** Ends the session, or the dial. Resolves when it is gone. */
  async hangUp(): Promise<void> {
    this.#dialling?.abort();
    this.#dialling = undefined;
    const session = this.#session;
    this.#session = undefined;
    if (session) {
      const gone = Promise.all([this.#closing, session[Symbol.asyncDispose]()]);
      this.#closing = within(this.#options.clock, HANG_UP_MS, gone);
    }
    await this.#closing;
  }

  send(message: ApplianceMessage): void {
    if (this.#session) this.#sendIn(this.#session, message);
  }

  sendAudio(packet: Uint8Array): boolean {
    return this.#session?.sendAudio(packet) ?? false;
  }

  /** The cloud has said goodbye. */
  leave(): void {
    if (this.#session) this.#lose(this.#session, undefined);
  }

  #adopt(session: Session): void {
    const { on } = this.#options;
    this.#dialling = undefined;
    this.#session = session;
    session.onAudio = (packet) => {
      if (session === this.#session) on.audio(packet);
    };
    session.onMessage = (message) => {
      if (session === this.#session) on.message(message, (answer) => this.#sendIn(session, answer));
    };
    void session.ended.then(({ asked, code }) => {
      if (!asked) this.#lose(session, code === 'VOICE_CLOSED' ? undefined : code);
    });
    // What came with the hello may have ended it already.
    if (session === this.#session) on.opened();
  }

  #sendIn(session: Session, message: ApplianceMessage): void {
    if (session !== this.#session || session.send(message)) return;
    this.#options.clock.timer(WHY_MS, () => this.#lose(session, 'NET_DOWN'));
  }

  #lose(session: Session, code: Code | undefined): void {
    if (session !== this.#session) return;
    void this.hangUp();
    this.#options.on.lost(code);
  }
}
