import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Certificate } from './certificate.ts';
import { meet, type Welcome } from './welcome.ts';

export interface ListenerOptions {
  readonly certificate?: Certificate;
  /** How this dial is to be met. */
  readonly welcome: (request: IncomingMessage) => Welcome;
  readonly onRefused: (how: string) => void;
  /** A socket has opened; what is left of the welcome is for whoever speaks first. */
  readonly onOpen: (socket: WebSocket, raw: Socket, welcome: Welcome, request: IncomingMessage) => void;
  /** Plain HTTP on the same port. Left out: never answered. */
  readonly onRequest?: RequestListener;
}

/** Listener: the cloud's port. It can go deaf and listen again on the same port, and owns every socket that it took. */
export class Listener implements AsyncDisposable {
  port = 0;
  readonly #options: ListenerOptions;
  readonly #server: Server;
  // 64 MiB: nothing that an appliance sends by mistake may hide behind a refusal of ours.
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024 });
  readonly #raws = new Set<Socket>();

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#server = options.certificate === undefined ? createServer() : createTlsServer(options.certificate);
    this.#server.on('connection', (raw: Socket) => {
      this.#raws.add(raw);
      raw.once('close', () => this.#raws.delete(raw));
    });
    if (options.onRequest !== undefined) this.#server.on('request', options.onRequest);
    this.#server.on('upgrade', (request, raw, head) => this.#upgrade(request, raw as Socket, head));
  }

  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        this.port = (this.#server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  /** Refuses new dials; open sockets stay. */
  close(): void {
    this.#server.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    const gone = [...this.#raws].map((raw) => new Promise((resolve) => raw.once('close', resolve)));
    for (const raw of this.#raws) raw.destroy();
    await Promise.all(gone);
  }

  async #upgrade(request: IncomingMessage, raw: Socket, head: Buffer): Promise<void> {
    const welcome = this.#options.welcome(request);
    const refusal = await meet(raw, welcome);
    if (refusal !== undefined) return this.#options.onRefused(refusal);
    this.#sockets.handleUpgrade(request, raw, head, (socket) =>
      this.#options.onOpen(socket, raw, welcome, request),
    );
  }
}
