import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from '../../cloud/certificate.ts';

export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Status and body; a value is sent as JSON. `undefined` never answers. */
export type Answer =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | undefined;

/** ActivationServer: a registration server that answers as the test says, one answer after the other. */
export class ActivationServer implements AsyncDisposable {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #answers: (asked: Asked) => Answer;
  readonly #isTls: boolean;
  #waiters: (() => void)[] = [];

  private constructor(answers: (asked: Asked) => Answer, certificate: Certificate | undefined) {
    this.#answers = answers;
    this.#isTls = certificate !== undefined;
    this.#server = certificate ? createTlsServer(certificate) : createServer();
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url = '', headers } = request;
        const asked = { path: url, headers, body: Buffer.concat(chunks).toString() };
        this.asked.push(asked);
        const answer = this.#answers(asked);
        for (const wake of this.#waiters.splice(0)) wake();
        if (!answer) return;
        response.writeHead(answer.status ?? 200, answer.headers);
        response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
      });
    });
  }

  /** `answers` is asked for each request, in their order. */
  static async listen(
    answers: (asked: Asked) => Answer,
    certificate?: Certificate,
  ): Promise<ActivationServer> {
    const server = new ActivationServer(answers, certificate);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#isTls ? 'https' : 'http'}://127.0.0.1:${port}/ota/?key=${KEY}`;
  }

  /** Resolves when so many requests have come in all. */
  async until(count: number): Promise<void> {
    while (this.asked.length < count) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Stands in each registration address, and may stand nowhere else. */
export const KEY = 'CANARYaddr3ss';
/** The token of each answer. */
export const TOKEN = 'CANARYtOk3n';

export const WEBSOCKET = { url: `wss://cloud.invalid/v1/?key=${KEY}`, token: TOKEN };
