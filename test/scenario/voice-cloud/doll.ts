import { once } from 'node:events';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { Application, createDecoder, createEncoder } from 'libopus-wasm';
import { WebSocket } from 'ws';
import { type AudioVersion, readFrame, writeFrame } from '../../cloud/voice/audio-frame.ts';
import { HEARD_HZ, SAID_HZ } from '../../cloud/voice/speech.ts';
import type { VoiceCloud } from '../../cloud/voice/voice-cloud.ts';
import { Waiters } from '../../cloud/waiters.ts';

type Fields = Record<string, unknown>;

export const DEVICE_ID = '02:00:5e:10:00:01';
export const CLIENT_ID = '6f1c1a52-3b5e-4c1c-9a5b-0d2f3e4a5b6c';
export const TOOLS = Array.from({ length: 3 }, (_, index) => ({
  name: `self.tool_${index}`,
  description: 'x',
  inputSchema: { type: 'object', properties: {} },
}));

export interface DollOptions {
  readonly version?: AudioVersion;
  readonly token?: string;
  readonly ca?: string;
  readonly headers?: Record<string, string>;
  /** Parts of the hello that are to be otherwise. */
  readonly hello?: Fields;
}

/** What came to the doll, in order: a message, or a packet by its number. */
export interface Came {
  readonly at: number;
  readonly message?: Fields;
  readonly text?: string;
  readonly packet?: number;
}

/** Doll: the smallest appliance that a voice cloud can be content with, and that can be told to misbehave. */
export class Doll implements AsyncDisposable {
  readonly socket: WebSocket;
  readonly came = new Waiters<Came>();
  readonly packets: Uint8Array[] = [];
  readonly ended: Promise<string>;
  readonly version: AudioVersion;
  id = '';

  constructor(cloud: VoiceCloud, options: DollOptions = {}) {
    const { version = 1, token = cloud.token, headers, ca } = options;
    this.version = version;
    this.socket = new WebSocket(cloud.url, {
      ...(ca === undefined ? {} : { ca }),
      headers: {
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        'Protocol-Version': String(version),
        'Device-Id': DEVICE_ID,
        'Client-Id': CLIENT_ID,
        ...headers,
      },
    });
    this.socket.on('message', (data, isBinary) => this.#take(data as Buffer, isBinary));
    this.ended = new Promise((resolve) => {
      this.socket.on('error', (error) => resolve(error.message));
      this.socket.on('close', (code) => resolve(String(code)));
    });
  }

  /** A doll whose socket is open. */
  static async dial(cloud: VoiceCloud, options: DollOptions = {}): Promise<Doll> {
    const doll = new Doll(cloud, options);
    await once(doll.socket, 'open');
    return doll;
  }

  /** A doll that has said hello and got its answer. */
  static async greet(cloud: VoiceCloud, options: DollOptions = {}): Promise<Doll> {
    const doll = await Doll.dial(cloud, options);
    doll.hello(options.hello);
    await doll.expect('hello');
    return doll;
  }

  hello(otherwise: Fields = {}): void {
    this.send({
      type: 'hello',
      version: this.version,
      features: { mcp: true },
      transport: 'websocket',
      audio_params: { format: 'opus', sample_rate: 16_000, channels: 1, frame_duration: 60 },
      ...otherwise,
    });
  }

  send(message: Fields): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Sends a message with the session's id. */
  say(message: Fields): void {
    this.send({ session_id: this.id, ...message });
  }

  listen(state: 'start' | 'stop' | 'detect', more: Fields = {}): void {
    this.say({ type: 'listen', state, ...more });
  }

  sound(packet: Uint8Array): void {
    this.socket.send(writeFrame(this.version, packet), { binary: true });
  }

  /** Speaks, five times as fast as people do. */
  async speak(sound: Int16Array, tailMs = 0): Promise<void> {
    for (const packet of await encode(sound, tailMs)) {
      this.sound(packet);
      await sleep(12);
    }
  }

  /** A message of this type (and state), past or to come. */
  expect(type: string, state?: string, ms = 5000): Promise<Came> {
    const matches = ({ message }: Came) =>
      message?.type === type && (state === undefined || message.state === state);
    return this.came.expect(`${type} ${state ?? ''}`, matches, ms);
  }

  /** Everything that was played to it so far. */
  async played(): Promise<Int16Array> {
    using decoder = await createDecoder({ sampleRate: SAID_HZ, channels: 1 });
    const parts: Int16Array[] = [];
    for (const packet of this.packets) {
      try {
        parts.push(decoder.decode(packet));
      } catch {
        // a damaged packet was put in on purpose
      }
    }
    return Int16Array.from(parts.flatMap((part) => [...part]));
  }

  /** Types of what came, without sound; `tts` with its state. */
  get story(): readonly string[] {
    return this.came.record
      .filter(({ message }) => message !== undefined && message.type !== 'mcp')
      .map(({ message }) => [message!.type, message!.state].filter(Boolean).join(' '));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.close();
    await this.ended;
  }

  #take(data: Buffer, isBinary: boolean): void {
    const at = performance.now();
    if (isBinary) {
      try {
        this.packets.push(Uint8Array.from(readFrame(this.version, data).packet));
      } catch {
        return; // a wrong header was put in on purpose
      }
      this.came.add({ at, packet: this.packets.length });
      return;
    }
    const text = data.toString();
    const message = parse(text);
    if (message?.type === 'hello') this.id = String(message.session_id ?? '');
    if (message?.type === 'mcp') this.#answer(message.payload as Fields);
    this.came.add({ at, text, ...(message === undefined ? {} : { message }) });
  }

  #answer({ id, method, params }: Fields): void {
    const { cursor } = (params ?? {}) as { cursor?: string };
    const next = TOOLS.findIndex(({ name }) => name === cursor);
    const page = Math.max(0, next);
    const more = TOOLS[page + 1];
    const answers: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'doll' },
      },
      'tools/list': { tools: [TOOLS[page]], ...(more === undefined ? {} : { nextCursor: more.name }) },
      'tools/call': { content: [{ type: 'text', text: JSON.stringify(params) }], isError: false },
    };
    this.say({ type: 'mcp', payload: { jsonrpc: '2.0', id, result: answers[String(method)] } });
  }
}

/** Sound as a microphone of 16 kHz gives it to the socket. */
export async function encode(sound: Int16Array, tailMs = 0, frameMs = 60): Promise<readonly Uint8Array[]> {
  const frameSize = (HEARD_HZ * frameMs) / 1000;
  using encoder = await createEncoder({
    sampleRate: HEARD_HZ,
    channels: 1,
    application: Application.Voip,
    bitrate: 24_000,
    complexity: 2,
    frameSize,
  });
  const frames = Math.ceil((sound.length + 104 + (tailMs * HEARD_HZ) / 1000) / frameSize);
  const whole = new Int16Array(frames * frameSize);
  whole.set(sound);
  return Array.from({ length: frames }, (_, frame) =>
    encoder.encode(whole.slice(frame * frameSize, (frame + 1) * frameSize)).slice(),
  );
}

/** Asks the activation server; the body that it wants unless told otherwise. */
export async function post(
  url: string,
  { headers = {}, body = { application: { version: '0.1.0' } } as unknown, ca = '' } = {},
): Promise<{ readonly status: number; readonly body: string }> {
  const options = {
    method: 'POST',
    ca,
    headers: {
      'Device-Id': DEVICE_ID,
      'Client-Id': CLIENT_ID,
      'User-Agent': 'doll/0',
      'Content-Type': 'application/json',
      'Activation-Version': '1',
      ...headers,
    },
  };
  if (!url.startsWith('https:')) {
    const reply = await fetch(url, { ...options, redirect: 'manual', body: JSON.stringify(body) });
    return { status: reply.status, body: await reply.text() };
  }
  return new Promise((resolve, reject) => {
    const asked = request(url, options, (reply) => {
      let text = '';
      reply.on('data', (piece) => {
        text += piece;
      });
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: text }));
    });
    asked.on('error', reject);
    asked.end(JSON.stringify(body));
  });
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}
