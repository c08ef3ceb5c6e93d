import type { LinkOptions, MediaLink } from '../../../../../device/kernel/link.ts';
import { endingOfClose, type LinkEnding } from '../../../../../device/kernel/link-ending.ts';
import { openSession, type SessionOptions } from '../../../../../device/voice/session/open-session.ts';
import { FakeClock } from '../../../fake-clock.ts';

/** FakeMediaLink: a voice socket without a socket. The test is the cloud. */
export class FakeMediaLink implements MediaLink {
  readonly ended: Promise<LinkEnding>;
  /** Texts and bytes that were sent, in order. */
  readonly texts: Record<string, unknown>[] = [];
  readonly bytes: Uint8Array[] = [];
  closedWith: number | undefined;
  isOpen = true;
  #end: (ending: LinkEnding) => void = () => {};
  #onMessage: ((message: Buffer) => void) | undefined;
  #onBytes: ((bytes: Buffer) => void) | undefined;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  set onMessage(listener: (message: Buffer) => void) {
    this.#onMessage = listener;
  }

  set onBytes(listener: (bytes: Buffer) => void) {
    this.#onBytes = listener;
  }

  send(message: Uint8Array | string): boolean {
    if (this.isOpen) this.texts.push(JSON.parse(message.toString()) as Record<string, unknown>);
    return this.isOpen;
  }

  sendBytes(bytes: Uint8Array): boolean {
    if (this.isOpen) this.bytes.push(bytes);
    return this.isOpen;
  }

  lastSeen(): number {
    return 0;
  }

  cork(): void {}

  uncork(): void {}

  async close(code: number): Promise<void> {
    this.closedWith ??= code;
    this.end({ asked: true, code: 'STOPPED', reason: `closed ${code}` });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close(1000);
  }

  /** The cloud says something: text as it is, bytes as sound, anything else as JSON. */
  say(...messages: unknown[]): void {
    for (const message of messages) {
      if (message instanceof Uint8Array) this.#onBytes?.(Buffer.from(message));
      else this.#onMessage?.(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)));
    }
  }

  /** The cloud closes, or the line breaks (1006). */
  drop(closeCode: number): void {
    this.end(endingOfClose(closeCode));
  }

  private end(ending: LinkEnding): void {
    this.isOpen = false;
    this.#end(ending);
  }
}

export const HELLO = {
  type: 'hello',
  transport: 'websocket',
  session_id: 's-1',
  audio_params: { format: 'opus', sample_rate: 24_000, channels: 1, frame_duration: 60 },
};

export const TOKEN = 'CANARYtOk3n';
export const URL_SECRET = 'wss://cloud.example/v1/?key=CANARYaddr3ss';

export const SETTINGS = {
  credentials: { url: URL_SECRET, token: TOKEN, version: 1 },
  identity: { deviceId: '02:00:00:00:00:01', clientId: '6b0f4c0e-8a5e-4b53-9d0f-0d3a3c2f1e11' },
  dialMs: 10_000,
  helloAgainMs: 4000,
  helloTimeoutMs: 10_000,
  silenceMs: 120_000,
} as const;

/** Opens a session on a fake line that is there at once. `opening` is handled: a test may look at it late. */
export async function startSession(options: Partial<SessionOptions> = {}) {
  const clock = new FakeClock();
  const link = new FakeMediaLink();
  const stop = new AbortController();
  let dialled: LinkOptions | undefined;
  const dial = async (given: LinkOptions) => {
    dialled = given;
    return link;
  };
  const opening = openSession({ ...SETTINGS, clock, dial, ...options }, stop.signal);
  opening.catch(() => {});
  await clock.settle();
  return { clock, link, stop, opening, dialled };
}

/** The same, with its hello answered and both listeners set. */
export async function openedSession(options: Partial<SessionOptions> = {}) {
  const scene = await startSession(options);
  scene.link.say(HELLO);
  const session = await scene.opening;
  const heard: unknown[] = [];
  session.onAudio = (packet) => heard.push([...packet]);
  session.onMessage = (message) => heard.push(message);
  return { ...scene, session, heard };
}
