import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Lays a cable to a port of this machine. */
export async function layCable(to: number): Promise<Cable> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new Cable(server, to);
}

/** Cable: what lies between somebody and a host, and can be cut in the middle of what goes through it. */
export class Cable implements AsyncDisposable {
  readonly #server: Server;
  readonly #to: number;
  readonly #open = new Set<Socket>();
  #left = Number.POSITIVE_INFINITY;
  /** Connections so far. */
  count = 0;

  constructor(server: Server, to: number) {
    this.#server = server;
    this.#to = to;
    server.on('connection', (near) => this.#join(near));
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the cable is not laid');
    return address.port;
  }

  /** Cuts what is open when so many more bytes have gone to the host; a later connection is whole again. */
  cutAfter(bytes: number): void {
    this.#left = bytes;
  }

  /** Cuts what is open. */
  cut(): void {
    this.#left = Number.POSITIVE_INFINITY;
    for (const socket of this.#open) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket): void {
    this.count += 1;
    const far = connect(this.#to, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(one);
      one.on('error', () => undefined); // cut on purpose
      one.once('close', () => {
        this.#open.delete(one);
        other.destroy();
      });
    }
    far.pipe(near);
    near.on('data', (bytes: Buffer) => {
      this.#left -= bytes.length;
      if (this.#left < 0) this.cut();
      else if (!far.write(bytes)) near.pause();
    });
    far.on('drain', () => near.resume());
  }
}
