import type { Clock } from '../../device/kernel/clock.ts';
import { EventQueue, type FirmwareEvent, MUTE } from './event-queue.ts';
import { ACK, ACK_REQ, NAK, RETX, Reader, type WireFrame, write } from './frame-bytes.ts';

/** What the host told the terminal, once each however often it came. `at` is Clock.now. */
export interface Told {
  readonly at: number;
  readonly what:
    | 'hello'
    | 'led'
    | 'volume'
    | 'mic_gain'
    | 'mute'
    | 'get_info'
    | 'get_state'
    | 'reboot'
    | 'host-lost';
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface FirmwareOptions {
  readonly clock: Clock;
  /** Bytes to the host. */
  readonly write: (bytes: Uint8Array) => void;
  readonly onTold: (told: Told) => void;
  readonly onGone: () => void;
  readonly caps: readonly string[];
  readonly model: string;
  readonly fw: string;
  /** The version of the link that it answers HELLO with. */
  readonly proto: number;
  /** First wait for an acknowledgement. */
  readonly ackMs: number;
  readonly hostLostMs: number;
}

const COMMANDS = ['led', 'volume', 'mic_gain', 'mute', 'get_info', 'get_state', 'reboot'] as const;
const CHANNEL = { link: 0, control: 1, event: 2 } as const;
const HELLO = 1;
const HELLO_ACK = 2;
const PING = 3;
const PONG = 4;
const HELLO_WANTED = 5;
const TRIES = 4;
const NOTHING = Buffer.alloc(0);

/** Firmware: the terminal's side of the link as PROTOCOL.md has it, without the line: bytes in, bytes out. */
export class Firmware implements Disposable {
  /** Position of the hardware switch, which no command moves. */
  muted = false;
  /** Of the mute button, as it was last told. */
  #softMuted = false;
  readonly #options: FirmwareOptions;
  readonly #reader = new Reader((frame) => this.#frame(frame));
  readonly #queue: EventQueue;
  /** alone: nobody has greeted; greeted: HELLO came; linked: the host has spoken since, so it knows our HELLO_ACK. */
  #state: 'off' | 'alone' | 'greeted' | 'linked' = 'off';
  #bootId = '';
  #boots = 0;
  #host: unknown;
  #lastSeq: number | undefined;
  #reply: Partial<WireFrame> = {};
  #heardAt = 0;
  #hostLost: Disposable | undefined;
  #greeting: Disposable | undefined;

  constructor(options: FirmwareOptions) {
    this.#options = options;
    const { clock, ackMs, onGone } = options;
    this.#queue = new EventQueue({
      clock,
      ackMs,
      onGone,
      tries: TRIES,
      send: ({ type, payload }, seq, again) =>
        this.#send({
          flags: ACK_REQ | (again ? RETX : 0),
          seq,
          channel: CHANNEL.event,
          type,
          payload: Buffer.from(JSON.stringify(payload)),
        }),
      onGivenUp: () => this.#alone(),
    });
  }

  get linked(): boolean {
    return this.#state === 'linked';
  }

  /** Events that the host has not acknowledged. */
  get pending(): number {
    return this.#queue.length;
  }

  /** Power comes: all that was known is forgotten, but for the switch. */
  boot(): void {
    const { clock } = this.#options;
    this.off();
    this.#bootId = `${(++this.#boots).toString(16)}${Math.floor(Math.random() * 2 ** 28).toString(16)}`;
    this.#heardAt = clock.now();
    this.#alone();
  }

  /** Power is gone. */
  off(): void {
    this.#state = 'off';
    this.#reader.clear();
    this.#queue.clear();
    this.#hostLost?.[Symbol.dispose]();
    this.#greeting?.[Symbol.dispose]();
    this.#host = this.#lastSeq = undefined;
    this.#softMuted = false;
  }

  [Symbol.dispose](): void {
    this.off();
  }

  /** False: dropped, since nobody is there to hear it. A mute is kept for whoever comes. */
  tell(event: FirmwareEvent): boolean {
    if (event.type === MUTE && event.payload.source === 'sw') this.#softMuted = event.payload.on === true;
    const isHeard = this.#state !== 'off' && (this.#state !== 'alone' || event.type === MUTE);
    return isHeard && this.#queue.add(event);
  }

  receive(bytes: Uint8Array): void {
    if (this.#state !== 'off') this.#reader.push(bytes);
  }

  #frame(frame: WireFrame): void {
    const { clock } = this.#options;
    if (objectOf(frame.payload) === undefined) return; // damage that the checksum does not see
    this.#heardAt = clock.now();
    if (frame.channel === CHANNEL.link && frame.type === HELLO) {
      this.#hello(frame);
      return;
    }
    if (this.#state === 'alone') {
      this.#send({ type: HELLO_WANTED });
      return;
    }
    if (this.#state === 'greeted') {
      this.#state = 'linked';
      this.#greeting?.[Symbol.dispose]();
      this.#queue.run();
    }
    if (frame.flags & (ACK | NAK)) this.#queue.acknowledged(frame.ack);
    else if (frame.flags & ACK_REQ) this.#command(frame);
    else if (frame.channel === CHANNEL.link && frame.type === PING) this.#send({ type: PONG });
  }

  #hello(frame: WireFrame): void {
    const { model, fw, caps, proto } = this.#options;
    const { host } = objectOf(frame.payload) ?? {};
    if (host !== this.#host) {
      this.#host = host;
      this.#lastSeq = undefined;
    }
    this.#queue.pause();
    this.#state = 'greeted';
    this.#watch();
    this.#told('hello', frame.payload);
    const said = { proto, model, fw, hw: 'pty', serial: '0', boot_id: this.#bootId, caps };
    this.#helloAck(Buffer.from(JSON.stringify(said)), 0);
  }

  /** Again after 100 and 300 ms, unless the host has spoken: it is the longest frame and the likeliest to be damaged. */
  #helloAck(payload: Buffer, tries: number): void {
    if (this.#state !== 'greeted') return;
    const { clock, ackMs } = this.#options;
    this.#send({ type: HELLO_ACK, payload });
    this.#greeting?.[Symbol.dispose]();
    if (tries === 2) return;
    this.#greeting = clock.timer(ackMs * 2 ** tries, () => this.#helloAck(payload, tries + 1));
  }

  /** Carried out once; a repetition gets the answer that was lost. */
  #command(frame: WireFrame): void {
    if (frame.seq !== this.#lastSeq) {
      this.#lastSeq = frame.seq;
      this.#reply = { ack: frame.seq, channel: frame.channel, type: frame.type, ...this.#carryOut(frame) };
    }
    this.#send(this.#reply);
  }

  #carryOut({ channel, type, payload }: WireFrame): Partial<WireFrame> {
    const what = channel === CHANNEL.control ? COMMANDS[type - 1] : undefined;
    if (what === undefined) return { flags: NAK, payload: Buffer.from('{"err":{"code":"unknown"}}') };
    this.#told(what, payload);
    const state = what === 'get_state' ? this.#mutes() : {};
    return { flags: ACK, payload: Buffer.from(JSON.stringify({ ok: true, ...state })) };
  }

  /** Both, or neither: what one terminal leaves out another one may have told before. */
  #mutes(): Told['payload'] {
    return this.#options.caps.includes('mute') ? { mute_hw: this.muted, mute_sw: this.#softMuted } : {};
  }

  #alone(): void {
    this.#state = 'alone';
    this.#queue.pause();
    this.#send({ type: HELLO_WANTED });
  }

  /** Looks only when the time could be up: a firmware has other things to do than to watch a clock. */
  #watch(): void {
    const { clock, hostLostMs } = this.#options;
    this.#hostLost?.[Symbol.dispose]();
    this.#hostLost = clock.timer(this.#heardAt + hostLostMs - clock.now(), () => {
      if (clock.now() - this.#heardAt < hostLostMs) this.#watch();
      else {
        this.#told('host-lost', NOTHING);
        this.#alone();
      }
    });
  }

  #told(what: Told['what'], payload: Buffer): void {
    const { clock, onTold } = this.#options;
    onTold({ at: clock.now(), what, payload: objectOf(payload) ?? {} });
  }

  #send(frame: Partial<WireFrame>): void {
    if (this.#state === 'off') return;
    const none = { flags: 0, seq: 0, ack: 0, channel: CHANNEL.link, type: 0, payload: NOTHING };
    this.#options.write(write({ ...none, ...frame }));
  }
}

function objectOf(payload: Buffer): Told['payload'] | undefined {
  if (payload.length === 0) return {};
  try {
    const value: unknown = JSON.parse(payload.toString());
    return typeof value === 'object' && value !== null ? (value as Told['payload']) : undefined;
  } catch {
    return undefined;
  }
}
