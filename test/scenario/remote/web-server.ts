import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '../../cloud/certificate.ts';

/** WebServer: an HTTP server of this machine that a test can take away and bring back at the same port. */
export class WebServer implements AsyncDisposable {
  /** The headers of every request so far, beside its method. */
  readonly seen: { readonly method: string; readonly headers: IncomingMessage['headers'] }[] = [];
  /** Takes every request and answers none. */
  mute = false;
  /** Answers a request in the place of the server, where it says so. */
  before: (...args: Parameters<RequestListener>) => boolean = () => false;
  readonly #listener: RequestListener;
  readonly #certificate: Certificate | undefined;
  #server: ReturnType<typeof createServer> | undefined;
  #port = 0;

  private constructor(listener: RequestListener, certificate: Certificate | undefined) {
    this.#listener = listener;
    this.#certificate = certificate;
  }

  static async start(listener: RequestListener, certificate?: Certificate): Promise<WebServer> {
    const server = new WebServer(listener, certificate);
    await server.up();
    return server;
  }

  get url(): string {
    return `${this.#certificate ? 'https' : 'http'}://127.0.0.1:${this.#port}`;
  }

  async up(): Promise<void> {
    const listener: RequestListener = (request, response) => {
      this.seen.push({ method: request.method ?? '', headers: request.headers });
      if (!this.mute && !this.before(request, response)) this.#listener(request, response);
    };
    const server = this.#certificate
      ? createSecureServer(this.#certificate, listener)
      : createServer(listener);
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async down(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
  }
}

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
