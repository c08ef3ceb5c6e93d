import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { systemClock } from '../../device/kernel/clock.ts';
import { dialLink, type Link, type LinkOptions } from '../../device/kernel/link.ts';
import type { Certificate } from '../cloud/certificate.ts';

export type Greet = (socket: WebSocket, raw: Socket) => void;

/** Peer: the other end of a Link, on a port of its own. */
export class Peer implements AsyncDisposable {
  readonly server: Server;
  /** Every TCP connection that was made to it. */
  readonly raws: Socket[] = [];
  readonly #sockets = new WebSocketServer({ noServer: true });

  private constructor(server: Server) {
    this.server = server;
    server.on('connection', (raw: Socket) => this.raws.push(raw));
  }

  /** Accepts each upgrade and hands it to `greet`. */
  static async listen(greet: Greet = () => {}, certificate?: Certificate): Promise<Peer> {
    const peer = new Peer(certificate ? createTlsServer(certificate) : createServer());
    peer.server.on('upgrade', (request, raw: Socket, head) => {
      peer.#sockets.handleUpgrade(request, raw, head, (socket) => greet(socket, raw));
    });
    return peer.#listen();
  }

  /** Answers each dial with these bytes instead; '' says nothing. */
  static async answering(bytes: string): Promise<Peer> {
    const peer = new Peer(createServer());
    peer.server.on('upgrade', (_request, raw: Socket) => {
      raw.on('error', () => {});
      raw.on('end', () => raw.end()).resume(); // or its end would never be seen
      if (bytes !== '') raw.end(bytes);
    });
    return peer.#listen();
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get open(): number {
    return this.raws.filter(({ closed }) => !closed).length;
  }

  dial(options: Partial<LinkOptions> = {}, signal = new AbortController().signal): Promise<Link> {
    const url = `ws://127.0.0.1:${this.port}/mcp/?token=${SECRET}`;
    return dialLink({ ...LIMITS, url, clock: systemClock, ...options }, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const raw of this.raws) raw.destroy();
    this.server.close();
    if (this.server.listening) await once(this.server, 'close');
  }

  async #listen(): Promise<Peer> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }
}

/** Stands in every address, and may stand nowhere else. */
export const SECRET = 'CANARYtOk3n';

export const LIMITS = { dialMs: 5000, closeMs: 300, pingMs: 15_000, deadMs: 25_000 };
