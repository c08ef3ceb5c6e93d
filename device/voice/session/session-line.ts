import type { Clock } from '#kernel/clock.ts';
import type { MediaLink } from '#kernel/link.ts';
import type { LinkEnding } from '#kernel/link-ending.ts';
import type { SessionCounters } from './counters.ts';
import { endingOfSession, faultOfGreeting } from './ending.ts';
import { type ProtocolVersion, packFrame, unpackFrame } from './frame.ts';
import { exchangeHello, helloText } from './hello.ts';
import { Inbox } from './inbox.ts';
import { type CloudHello, readMessage } from './message.ts';
import type { ApplianceMessage, CloudMessage, Session } from './session.ts';

export interface SessionLineOptions {
  readonly clock: Clock;
  readonly version: ProtocolVersion;
  readonly helloAgainMs: number;
  readonly helloTimeoutMs: number;
  /** A session on which nothing was said for so long is dead; pongs do not count (cloud protocol 2.7). */
  readonly silenceMs: number;
  readonly counters: SessionCounters;
}

/** No message of the cloud is nearly as large. */
const MAX_TEXT = 64 << 10;
/** A program that was held up has not read yet what came meanwhile: it looks once more after so long. */
const GRACE_MS = 1000;

/** SessionLine: a voice session from its open link to its end. What comes before the hello is kept for its listeners. */
export class SessionLine implements Session {
  id = '';
  readonly ended: Promise<LinkEnding>;
  readonly #link: MediaLink;
  readonly #options: SessionLineOptions;
  readonly #inbox: Inbox;
  readonly #openedAt: number;
  readonly #answered: Promise<CloudHello>;
  #answer: (hello: CloudHello) => void = () => {};
  /** First writer wins; there as soon as the session is over, while its link may still be closing. */
  #ending: LinkEnding | undefined;
  /** The cloud said something that is not JSON before its hello. */
  #spoke = false;
  #heardAt: number;
  #silence: Disposable | undefined;

  /** The link is read from here on. */
  constructor(link: MediaLink, options: SessionLineOptions) {
    this.#link = link;
    this.#options = options;
    this.#openedAt = this.#heardAt = options.clock.now();
    this.#inbox = new Inbox(() => options.counters.overflow++);
    this.#answered = new Promise((resolve) => {
      this.#answer = resolve;
    });
    this.ended = link.ended.then((ending) => {
      this.#silence?.[Symbol.dispose]();
      this.#ending ??= endingOfSession(ending);
      return this.#ending;
    });
    link.onBytes = (bytes) => this.#hearBytes(bytes);
    link.onMessage = (bytes) => this.#hearText(bytes);
  }

  /** Exchanges the hello. Rejects with a Fault; the line is then to be disposed. */
  async greet(signal: AbortSignal): Promise<void> {
    const { clock, version, helloAgainMs, helloTimeoutMs } = this.#options;
    const hello = helloText(version);
    const options = {
      clock,
      say: () => this.#link.send(hello),
      againMs: helloAgainMs,
      timeoutMs: helloTimeoutMs,
      answered: this.#answered,
      ended: this.#link.ended.then((ending) => faultOfGreeting(ending, this.#spoke)),
    };
    const { sessionId } = await exchangeHello(options, signal);
    this.id = sessionId;
    this.#heardAt = clock.now();
    if (!this.#ending) this.#watch(this.#options.silenceMs);
  }

  set onAudio(listener: (packet: Uint8Array) => void) {
    this.#inbox.onAudio = listener;
  }

  set onMessage(listener: (message: CloudMessage) => void) {
    this.#inbox.onMessage = listener;
  }

  send(message: ApplianceMessage): boolean {
    if (this.#ending) return false;
    return this.#link.send(JSON.stringify({ session_id: this.id, ...message }));
  }

  sendAudio(packet: Uint8Array): boolean {
    if (this.#ending) return false;
    const { clock, version, counters } = this.#options;
    const frame = packFrame(version, packet, clock.now() - this.#openedAt);
    if (!frame) counters.badSent++;
    return frame !== undefined && this.#link.sendBytes(frame);
  }

  lastSeen(): number {
    return this.#link.lastSeen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end({ asked: true, code: 'STOPPED', reason: 'closed 1000' });
  }

  async #end(ending: LinkEnding): Promise<void> {
    this.#ending ??= ending;
    this.#silence?.[Symbol.dispose]();
    this.#inbox.close();
    await this.#link.close(1000);
  }

  #hearText(bytes: Buffer): void {
    this.#heardAt = this.#options.clock.now();
    const { counters } = this.#options;
    if (bytes.length > MAX_TEXT) {
      counters.tooLong++;
      return;
    }
    const message = readMessage(bytes.toString());
    if (typeof message === 'string') {
      if (message === 'notJson') this.#spoke = true;
      counters[message]++;
    } else if (message.type === 'hello') this.#answer(message);
    else this.#inbox.message(message, bytes.length);
  }

  #hearBytes(bytes: Buffer): void {
    this.#heardAt = this.#options.clock.now();
    const frame = unpackFrame(this.#options.version, bytes);
    if (!frame) this.#options.counters.badAudio++;
    else if (frame.kind === 'audio') this.#inbox.audio(frame.payload);
    else this.#hearText(Buffer.from(frame.payload));
  }

  #watch(ms: number, isSecondLook = false): void {
    const { clock, silenceMs } = this.#options;
    const dueAt = clock.now() + ms;
    this.#silence = clock.timer(ms, () => {
      const leftMs = this.#heardAt + silenceMs - clock.now();
      if (leftMs > 0) this.#watch(leftMs);
      else if (clock.now() - dueAt > GRACE_MS && !isSecondLook) this.#watch(GRACE_MS, true);
      else void this.#end({ asked: false, code: 'VOICE_SILENT', reason: `nothing said for ${silenceMs} ms` });
    });
  }
}
