import http from 'node:http';
import https from 'node:https';
import { authorities } from '#kernel/authorities.ts';
import type { Clock } from '#kernel/clock.ts';
import { errnoOf, Fault } from '#kernel/fault.ts';
import { faultOfDial } from '#kernel/link-ending.ts';

export interface PostOptions {
  /** http:// or https://. A secret: it never reaches a message, a log or an error. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** PEM text of an owner's CA, trusted beside the usual ones. */
  readonly ca?: string;
  readonly clock: Clock;
  /** Time for everything from the name to the last byte; ms. */
  readonly deadlineMs: number;
}

export interface PostAnswer {
  readonly status: number;
  readonly body: string;
}

/** An answer may be so large, in bytes. */
const MAX_BODY = 256 << 10;

/**
 * One POST of JSON on a connection of its own. No redirect is followed, since it would carry the device elsewhere, and TLS
 * is always verified. Rejects with a Fault: NET_NAME, NET_DOWN (also the deadline), TLS, CLOCK, STOPPED when `signal`
 * aborted, VOICE_ANSWER for what is no HTTP or too large. Any status is an answer.
 */
export function post(options: PostOptions, signal: AbortSignal): Promise<PostAnswer> {
  const { clock, deadlineMs, body } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new Fault('STOPPED', 'request given up'));
      return;
    }
    const request = start(options);
    const settle = (end: () => void) => {
      late[Symbol.dispose]();
      signal.removeEventListener('abort', abort);
      request.destroy();
      end();
    };
    const fail = (fault: Fault) => settle(() => reject(fault));
    const late = clock.timer(deadlineMs, () =>
      fail(new Fault('NET_DOWN', `expected an answer within ${deadlineMs} ms, got none`)),
    );
    const abort = () => fail(new Fault('STOPPED', 'request given up'));
    signal.addEventListener('abort', abort, { once: true });
    request.on('error', (error) => fail(faultOf(error, clock)));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_BODY) fail(new Fault('VOICE_ANSWER', `expected at most ${MAX_BODY} bytes, got more`));
        else chunks.push(chunk);
      });
      response.on('error', (error) => fail(faultOf(error, clock)));
      response.on('end', () => {
        const answer = { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() };
        settle(() => resolve(answer));
      });
    });
    request.end(body);
  });
}

function start({ url, headers, ca, body, clock }: PostOptions): http.ClientRequest {
  const { protocol, hostname, port, pathname, search } = addressOf(url);
  const target = {
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    path: `${pathname}${search}`,
    method: 'POST',
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' },
    agent: false as const,
  };
  try {
    if (protocol === 'http:') return http.request(target);
    return https.request({
      ...target,
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca: authorities(ca) }),
    });
  } catch (error) {
    throw faultOf(error, clock); // a header or a CA that Node does not take: its text would quote it
  }
}

function addressOf(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol === 'http:' || address?.protocol === 'https:') return address;
  throw new Fault('VOICE_ANSWER', 'expected an address that begins with https:// or http://');
}

function faultOf(error: unknown, clock: Clock): Fault {
  const errno = errnoOf(error);
  if (errno.startsWith('HPE_')) return new Fault('VOICE_ANSWER', `expected HTTP, got ${errno}`);
  return faultOfDial(error, clock.wall());
}
