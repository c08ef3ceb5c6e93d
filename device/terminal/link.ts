import type { Code } from '#kernel/codes.ts';
import { FrameDecoder } from './decoder.ts';
import { CHANNEL, encodeApart, encodeFrame, FLAG, type Frame } from './frame.ts';
import { type Greeting, helloOf, isSpoken, parseGreeting } from './greeting.ts';
import { Heartbeat } from './heartbeat.ts';
import type { LinkCounts, LinkOptions } from './link-options.ts';
import { LINK, messageOf } from './message.ts';
import { Outbox } from './outbox.ts';
import { encodePayload, type Payload, parsePayload } from './payload.ts';

type State =
  | { readonly at: 'greeting'; readonly since: number }
  | { readonly at: 'up' }
  | { readonly at: 'ended' };

/**
 * TerminalLink: one conversation over one opened port (terminal link 1).
 *
 *     greeting --HELLO_ACK--> up --unacknowledged, HELLO_WANTED--> greeting
 *     greeting, up --3 x 2 s without a good frame, or without HELLO_ACK--> ended
 */
export class TerminalLink implements Disposable {
  readonly #options: LinkOptions;
  readonly #decoder = new FrameDecoder((frame) => this.#receive(frame));
  readonly #outbox: Outbox;
  #state: State;
  #tick: Disposable | undefined;
  #heardAt: number;
  #sentAt: number;
  #unreadSeq: number | undefined;
  #counts = { repeated: 0, ignored: 0, relinked: 0 };

  /** Begins with a HELLO at once. */
  constructor(options: LinkOptions) {
    this.#options = options;
    const { clock, timing, memory, onReply } = options;
    const now = clock.now();
    this.#heardAt = this.#sentAt = now;
    this.#state = { at: 'greeting', since: now };
    this.#outbox = new Outbox({
      clock,
      timing,
      memory,
      onReply,
      write: (bytes) => this.#write(bytes),
      onGivenUp: () => this.#greetAgain('no acknowledgement'),
    });
    this.#hello();
  }

  /** Bytes from the port, in any pieces. */
  receive(bytes: Uint8Array): void {
    if (this.#state.at !== 'ended') this.#decoder.push(bytes);
  }

  /** Tells the terminal a state; nothing while the link is not up. */
  put(type: number, payload: Payload): void {
    if (this.#state.at === 'up') this.#outbox.put(type, payload);
  }

  get isUp(): boolean {
    return this.#state.at === 'up';
  }

  /** When the last good frame came (Clock.now). */
  get heardAt(): number {
    return this.#heardAt;
  }

  get counts(): LinkCounts {
    return { ...this.#decoder.counts, ...this.#counts };
  }

  [Symbol.dispose](): void {
    this.#state = { at: 'ended' };
    this.#tick?.[Symbol.dispose]();
    this.#outbox.clear();
  }

  #receive(frame: Frame): void {
    if (this.#state.at === 'ended') return;
    this.#heardAt = this.#options.clock.now();
    const isUp = this.#state.at === 'up';
    const isAnswer = (frame.flags & (FLAG.ack | FLAG.nak)) !== 0;
    if (frame.channel === CHANNEL.link && !isAnswer) this.#talk(frame, isUp);
    // Before the greeting nobody knows which boot a number belongs to: the terminal sends it again.
    else if (isUp && isAnswer) this.#outbox.acknowledged(frame);
    else if (isUp && frame.flags & FLAG.ackWanted) this.#event(frame);
    else this.#counts.ignored++;
  }

  #talk({ type, payload }: Frame, isUp: boolean): void {
    if (type === LINK.helloAck) {
      const greeting = parseGreeting(payload);
      if (greeting === undefined) this.#counts.ignored++;
      else if (!isUp) this.#greeted(greeting);
      else if (greeting.bootId !== this.#options.memory.bootId) this.#greetAgain('another boot');
    } else if (type === LINK.helloWanted) {
      this.#greetAgain('the terminal asked for it');
    } else if (type !== LINK.pong) {
      this.#counts.ignored++;
    }
  }

  #greeted(greeting: Greeting): void {
    const { clock, timing, memory, onUp } = this.#options;
    if (!isSpoken(greeting)) {
      const { proto, fw } = greeting;
      this.#end('TERMINAL_VERSION', `the terminal speaks version ${proto} of the link (firmware ${fw})`);
      return;
    }
    const rebooted = memory.bootId !== greeting.bootId;
    if (rebooted) {
      memory.bootId = greeting.bootId;
      memory.heardSeq = undefined;
    }
    this.#state = { at: 'up' };
    this.#tick?.[Symbol.dispose]();
    this.#tick = new Heartbeat({
      clock,
      timing,
      last: () => ({ sentAt: this.#sentAt, heardAt: this.#heardAt }),
      ping: () => this.#send({ type: LINK.ping }),
      onSilent: () => this.#end('TERMINAL_SILENT', `no frame for ${timing.pingMs * timing.misses} ms`),
    });
    onUp(greeting, rebooted);
  }

  /** Acknowledged also where it came before, since then the first acknowledgement was lost; handed on once. */
  #event({ seq, channel, type, payload }: Frame): void {
    const { memory, onMessage } = this.#options;
    const isAgain = seq === memory.heardSeq;
    const said = parsePayload(payload);
    // A checksum of 16 bits lets some damage pass, but what is left is hardly JSON: it is waited for once more.
    if (said === undefined && !isAgain && this.#unreadSeq !== seq) {
      this.#unreadSeq = seq;
      this.#counts.ignored++;
      return;
    }
    this.#send({ flags: FLAG.ack, ack: seq, channel: CHANNEL.link, type: LINK.ack });
    if (isAgain) {
      this.#counts.repeated++;
      return;
    }
    memory.heardSeq = seq;
    const message = said && channel === CHANNEL.event ? messageOf(type, said) : undefined;
    if (message === undefined) this.#counts.ignored++;
    else onMessage(message, this.#heardAt);
  }

  #greetAgain(reason: string): void {
    if (this.#state.at !== 'up') return;
    this.#counts.relinked++;
    this.#state = { at: 'greeting', since: this.#options.clock.now() };
    this.#outbox.clear();
    this.#options.onDown(reason);
    if (this.#state.at === 'greeting') this.#hello();
  }

  #hello(): void {
    const { clock, timing, memory } = this.#options;
    const state = this.#state;
    if (state.at !== 'greeting') return;
    if (clock.now() - state.since >= timing.pingMs * timing.misses) {
      this.#end('TERMINAL_SILENT', `no answer to HELLO in ${timing.pingMs * timing.misses} ms`);
      return;
    }
    this.#tick?.[Symbol.dispose]();
    this.#tick = clock.timer(timing.helloMs, () => this.#hello());
    this.#send({ type: LINK.hello, payload: encodePayload(helloOf(memory.host)) }, encodeApart);
  }

  #send(frame: Partial<Frame>, encode = encodeFrame): void {
    const none = {
      flags: 0,
      seq: 0,
      ack: 0,
      channel: CHANNEL.link,
      type: LINK.ack,
      payload: new Uint8Array(),
    };
    this.#write(encode({ ...none, ...frame }));
  }

  #write(bytes: Uint8Array): void {
    this.#sentAt = this.#options.clock.now();
    this.#options.write(bytes);
  }

  #end(code: Code, reason: string): void {
    if (this.#state.at === 'ended') return;
    this[Symbol.dispose]();
    this.#options.onEnd(code, reason);
  }
}
