import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import WebSocket from 'ws';
import { authorities } from './authorities.ts';
import type { Clock } from './clock.ts';
import { Fault } from './fault.ts';
import { endingOfClose, faultOfDial, faultOfStatus, type LinkEnding } from './link-ending.ts';
import type { Transport } from './transport.ts';

export interface LinkOptions {
  /** A secret: it never reaches a message, a log or an error. */
  readonly url: string;
  /** PEM text of an owner's CA, trusted beside the system's. */
  readonly ca?: string;
  /** Sent with the upgrade; a value may be a secret, as the url is. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly dialMs: number;
  /** A larger message ends the line with 1009; bytes. Default 16 MiB: a request of 2 MB must pass. */
  readonly maxMessage?: number;
  /** A close handshake unfinished after it is cut. */
  readonly closeMs: number;
  readonly pingMs: number;
  /** A line without any traffic for so long is dead: noticed within it, not after it. */
  readonly deadMs: number;
}

/** Link: owns one wss connection, from dial to end. Single use; a reconnect is a new Link. */
export interface Link extends Transport {
  readonly ended: Promise<LinkEnding>;
  /** When bytes last came from the other side (wall clock, ms). */
  lastSeen(): number;
  /** Holds back what is sent until `uncork`, so that a burst of messages leaves in one write. */
  cork(): void;
  uncork(): void;
  /** Closes with a code; cut after `withinMs`, by default `closeMs`. Shorter only where no dial follows. */
  close(code: number, withinMs?: number): Promise<void>;
}

/** A link on which bytes are more than text in another frame: the voice session. */
export interface MediaLink extends Link {
  /** Sends one binary message, as `send` does a text. */
  sendBytes(bytes: Uint8Array): boolean;
  /** Gets every binary message; without it they count as text. Set it before `onMessage`, which lets them in. */
  set onBytes(listener: (bytes: Buffer) => void);
}

const MAX_MESSAGE = 16 << 20;
/** What waits to leave is bounded: a peer that reads nothing for so much is as good as dead. */
const MAX_BUFFERED = 32 << 20;
/** How often the line is looked at. */
const TICK_MS = 1000;

/** Dials; rejects with a Fault whose code is the cause. The returned link is open. */
export function dialLink(options: LinkOptions, signal: AbortSignal): Promise<MediaLink> {
  return new Promise((resolve, reject) => {
    const ws = connect(options);
    let socket: Socket | undefined;
    const fail = (fault: Fault) => {
      done();
      ws.removeAllListeners();
      ws.on('error', () => {});
      ws.terminate();
      reject(fault);
    };
    const late = options.clock.timer(options.dialMs, () => fail(new Fault('NET_DOWN', 'dial timed out')));
    const abort = () => fail(new Fault('STOPPED', 'dial given up'));
    const done = () => {
      late[Symbol.dispose]();
      signal.removeEventListener('abort', abort);
    };
    signal.addEventListener('abort', abort, { once: true });
    ws.once('upgrade', (response) => {
      socket = response.socket;
    });
    ws.once('unexpected-response', (_request, response) => fail(faultOfStatus(response.statusCode ?? 0)));
    ws.once('error', (error) => fail(faultOfDial(error, options.clock.wall())));
    ws.once('open', () => {
      done();
      ws.removeAllListeners();
      resolve(new OpenLink(ws, socket as Socket, options));
    });
    if (signal.aborted) abort();
  });
}

/** What is no address, and a CA that cannot be read, throw here; Node's own texts would quote them. */
function connect({ url, ca, headers, closeMs, clock, maxMessage = MAX_MESSAGE }: LinkOptions): WebSocket {
  // A close that the cloud begins and never ends is cut as ours is: the next dial waits for it.
  const limits = { perMessageDeflate: false, maxPayload: maxMessage, closeTimeout: closeMs };
  try {
    return new WebSocket(url, {
      ...limits,
      rejectUnauthorized: true, // whatever a variable of Node's says
      ...(headers === undefined ? {} : { headers }),
      ...(ca === undefined ? {} : { ca: authorities(ca) }),
    });
  } catch (error) {
    if (error instanceof SyntaxError) throw new Fault('ENDPOINT_INVALID', 'the endpoint is not an address');
    throw faultOfDial(error, clock.wall());
  }
}

class OpenLink implements MediaLink {
  readonly ended: Promise<LinkEnding>;
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #options: LinkOptions;
  #ending: LinkEnding | undefined;
  #onBytes: ((bytes: Buffer) => void) | undefined;
  #seenBytes = 0;
  #seenAt: number;
  #seenWall: number;
  #pingedAt: number;
  #watchedAt: number;
  #tick: Disposable;

  constructor(ws: WebSocket, socket: Socket, options: LinkOptions) {
    this.#ws = ws;
    this.#socket = socket;
    this.#options = options;
    socket.setNoDelay(true);
    this.#seenBytes = socket.bytesRead;
    this.#seenAt = this.#pingedAt = this.#watchedAt = options.clock.now();
    this.#seenWall = options.clock.wall();
    ws.pause(); // the cloud speaks first: until somebody listens
    ws.on('error', () => {}); // `close` follows and tells the code
    this.ended = new Promise((resolve) => {
      ws.on('close', (code) => {
        this.#tick[Symbol.dispose]();
        resolve(this.#ending ?? endingOfClose(code));
      });
    });
    this.#tick = options.clock.timer(TICK_MS, () => this.#watch());
    ws.ping();
  }

  /** The line is read from now on: what the cloud said before it was listened to is still in order. */
  set onMessage(listener: (message: Buffer) => void) {
    this.#ws.removeAllListeners('message');
    // Text is UTF-8 or ws closes the line; bytes are whatever they are, and go on as the text that they are meant as.
    this.#ws.on('message', (data: Buffer, isBinary) => {
      if (isBinary && this.#onBytes) this.#onBytes(data);
      else listener(isBinary && !isUtf8(data) ? Buffer.from(data.toString()) : data);
    });
    this.#ws.resume();
  }

  set onBytes(listener: (bytes: Buffer) => void) {
    this.#onBytes = listener;
  }

  send(message: Uint8Array | string): boolean {
    return this.#send(message, false);
  }

  sendBytes(bytes: Uint8Array): boolean {
    return this.#send(bytes, true);
  }

  lastSeen(): number {
    this.#look();
    return this.#seenWall;
  }

  cork(): void {
    this.#socket.cork();
  }

  uncork(): void {
    this.#socket.uncork();
  }

  async close(code: number, withinMs = this.#options.closeMs): Promise<void> {
    this.#ending ??= { asked: true, code: 'STOPPED', reason: `closed ${code}` };
    // What crosses our close could not be answered any more: it is not heard.
    this.#ws.removeAllListeners('message');
    this.#ws.resume();
    if (this.#ws.readyState === WebSocket.OPEN) this.#ws.close(code);
    const cut = this.#options.clock.timer(withinMs, () => this.#ws.terminate());
    await this.ended;
    cut[Symbol.dispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close(1000);
  }

  #send(message: Uint8Array | string, binary: boolean): boolean {
    if (this.#ws.readyState !== WebSocket.OPEN) return false;
    if (this.#ws.bufferedAmount > MAX_BUFFERED) {
      this.#cut('too much waits to leave');
      return false;
    }
    this.#ws.send(message, { binary });
    return true;
  }

  /** Any byte counts as life, also the middle of a long message. */
  #look(): void {
    if (this.#socket.bytesRead === this.#seenBytes) return;
    this.#seenBytes = this.#socket.bytesRead;
    this.#seenAt = this.#options.clock.now();
    this.#seenWall = this.#options.clock.wall();
  }

  #watch(): void {
    const { clock, pingMs, deadMs } = this.#options;
    this.#look();
    const now = clock.now();
    // A program that was held up has not read yet what came meanwhile: it looks again before it judges.
    const isLate = now - this.#watchedAt > 2 * TICK_MS;
    this.#watchedAt = now;
    // Two ticks early: one that saw the last byte late, one that looks late.
    const patience = Math.max(deadMs - 2 * TICK_MS, TICK_MS);
    if (!isLate && now - this.#seenAt >= patience) {
      this.#cut('no traffic on the line');
      return;
    }
    // Early enough for the answer to count, which RFC 6455 5.5.2 asks of every peer.
    const everyMs = Math.min(pingMs, patience - 2 * TICK_MS);
    if (now - this.#pingedAt >= everyMs && this.#ws.readyState === WebSocket.OPEN) {
      this.#pingedAt = now;
      this.#ws.ping();
    }
    this.#tick = clock.timer(TICK_MS, () => this.#watch());
  }

  #cut(reason: string): void {
    this.#ending ??= { asked: false, code: 'NET_DOWN', reason };
    this.#ws.terminate();
  }
}
