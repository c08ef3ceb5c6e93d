import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseObject } from '../message.ts';
import { complaintsOfIdentity, type KnownIdentity } from './identity.ts';
import type { VoiceEvent } from './voice-event.ts';

/** How the activation server answers. Nothing in it: the appliance is bound and gets its credentials. */
export interface ActivationPlan {
  /** Not bound: so many polls are answered 202, the next one 200, and then it is. `Infinity` never ends. */
  readonly polls?: number;
  /** Shown while it is not bound. Default 123456. */
  readonly code?: string;
  /** What stands there about the voice socket. Default `given`. */
  readonly websocket?: 'given' | 'missing' | 'no token';
  /** The binary version that the appliance is told. Default: none. */
  readonly version?: number;
  /** Offers the other way to the cloud as well; with `websocket: 'missing'` nothing but it. */
  readonly mqtt?: boolean;
  /** Pushes firmware, which no appliance of ours may take. */
  readonly firmware?: { readonly version: string; readonly url: string; readonly force?: number };
  /** ms since 1970; default: the right time. */
  readonly serverTime?: number;
  /** Instead of all that: an HTTP status, a body as it is, a body of so many bytes, a redirect, nothing at all. */
  readonly status?: number;
  readonly body?: string;
  readonly hugeBytes?: number;
  readonly redirectTo?: string;
  readonly never?: boolean;
}

export interface ActivationOptions {
  readonly path: string;
  readonly socket: () => { readonly url: string; readonly token: string };
  /** For a registration, and for a poll. */
  readonly plan: () => ActivationPlan;
  readonly pollPlan: () => ActivationPlan;
  readonly identity: KnownIdentity;
  readonly onEvent: (event: VoiceEvent) => void;
  readonly complain: (why: string) => void;
}

/** ActivationServer: where an appliance registers itself and learns its voice address (cloud protocol 3). */
export class ActivationServer {
  /** 202 answers so far; forgotten once it is bound. */
  #polled = 0;
  /** The owner has entered the code. */
  #bound = false;
  readonly #options: ActivationOptions;

  constructor(options: ActivationOptions) {
    this.#options = options;
  }

  /** The owner takes the appliance out of the account: the next registration gets a code again. */
  unbind(): void {
    this.#bound = false;
    this.#polled = 0;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined); // who does not wait for the whole of a huge body is right
    const { path, plan, pollPlan } = this.#options;
    const body = await text(request).catch(() => '');
    if (request.url === path) this.#answer(request, response, body, plan());
    else if (request.url === new URL('activate', `http://cloud${path}`).pathname)
      this.#poll(request, response, pollPlan());
    else {
      this.#options.complain(`${request.method} ${request.url} is no address of the cloud`);
      response.writeHead(404).end();
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: string, plan: ActivationPlan): void {
    for (const why of complaintsOf(request, body)) this.#options.complain(`activation: ${why}`);
    this.#identify(request);
    const deviceId = String(request.headers['device-id'] ?? '');
    const answer = this.#respond(response, plan, deviceId);
    this.#options.onEvent({ event: 'activation-asked', deviceId, answer });
  }

  /** Says in a word how it has answered. */
  #respond(response: ServerResponse, plan: ActivationPlan, deviceId: string): string {
    if (plan.never === true) return 'nothing';
    if (plan.redirectTo !== undefined) {
      response.writeHead(302, { location: plan.redirectTo }).end();
      return 'redirect';
    }
    if (plan.status !== undefined) {
      response.writeHead(plan.status).end(plan.body ?? 'no\n');
      return `HTTP ${plan.status}`;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    if (plan.hugeBytes !== undefined) {
      sendHuge(response, plan.hugeBytes);
      return `${plan.hugeBytes} bytes`;
    }
    const bound = this.#bound || plan.polls === undefined;
    response.end(plan.body ?? JSON.stringify(this.#document(plan, bound, deviceId)));
    return plan.body !== undefined ? 'as planned' : bound ? 'bound' : 'a code';
  }

  #identify({ headers }: IncomingMessage): void {
    const other = this.#options.identity.judge(headers);
    if (other !== undefined) this.#options.complain(`activation: ${other}`);
  }

  #poll(request: IncomingMessage, response: ServerResponse, { polls = 0 }: ActivationPlan): void {
    this.#identify(request);
    if (request.method !== 'POST') this.#options.complain(`activate: ${request.method} instead of POST`);
    this.#bound ||= this.#polled++ >= polls;
    const status = this.#bound ? 200 : 202;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(this.#bound ? '{"message":"success"}' : '{"message":"waiting"}');
    this.#options.onEvent({ event: 'activation-polled', status });
  }

  #document(plan: ActivationPlan, bound: boolean, deviceId: string): object {
    const { url, token } = this.#options.socket();
    const { websocket = 'given', version } = plan;
    const code = plan.code ?? '123456';
    return {
      server_time: { timestamp: plan.serverTime ?? Date.now(), timezone_offset: 540 },
      firmware: plan.firmware ?? { version: '0.0.1', url: '' },
      ...(websocket === 'missing'
        ? {}
        : {
            websocket: {
              url,
              // Who dials before it is bound comes with an empty token, and is refused.
              ...(websocket === 'no token' ? {} : { token: bound ? token : '' }),
              ...(version === undefined ? {} : { version }),
            },
          }),
      ...(plan.mqtt === true ? { mqtt: MQTT } : {}),
      ...(bound
        ? {}
        : {
            activation: { code, message: `bench.example\n${code}`, challenge: deviceId, timeout_ms: 30_000 },
          }),
    };
  }
}

const MQTT = {
  endpoint: 'mqtt.example',
  client_id: 'GID_bench@@@02_00_00_00_00_01',
  username: 'bench',
  password: 'bench',
  publish_topic: 'device-server',
  subscribe_topic: 'null',
};

function complaintsOf(request: IncomingMessage, body: string): readonly string[] {
  const { headers, method } = request;
  const document = parseObject(body) as { application?: { version?: unknown } } | undefined;
  const version = document?.application?.version;
  return [
    ...(method === 'POST' ? [] : [`${method} instead of POST`]),
    ...complaintsOfIdentity(headers),
    ...(/^application\/json\b/.test(headers['content-type'] ?? '')
      ? []
      : ['no Content-Type application/json']),
    ...(headers['activation-version'] === undefined ? ['no Activation-Version'] : []),
    ...(headers['user-agent'] === undefined ? ['no User-Agent'] : []),
    ...(document === undefined ? ['the body is no JSON object'] : []),
    ...(typeof version === 'string' && version !== '' ? [] : ['no application.version']),
  ];
}

function sendHuge(response: ServerResponse, bytes: number): void {
  const piece = 'a'.repeat(65_536);
  let left = bytes;
  response.write('{"x":"');
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length;
      if (!response.write(piece)) {
        response.once('drain', more);
        return;
      }
    }
    response.end('"}');
  };
  more();
}
