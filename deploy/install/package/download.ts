import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { PassThrough } from 'node:stream';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';

export interface RequestOptions {
  /** Bytes that are there already. */
  readonly from: number;
  /** What the server called the file that these bytes are of (RFC 9110, 13.1.5). */
  readonly tag: string | undefined;
  readonly clock: Clock;
  readonly asked: AbortSignal;
}

/** The answer of a server, and the bytes of it. */
export interface Download {
  readonly status: number;
  /** At which byte of the file the answer begins. */
  readonly from: number;
  /** The size of the whole file, where the server tells it. */
  readonly total: number | undefined;
  /** Absent where the file cannot be continued later. */
  readonly etag: string | undefined;
  readonly chunks: AsyncIterable<Buffer>;
  /** True when the answer came to its own end. */
  isWhole(): boolean;
  close(): void;
}

const MOST_REDIRECTS = 5;
/** For the answer, and then for each next byte. */
const SILENT_MS = 30_000;
const HELD = 1024 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Asks for a file, from a byte on. Certificates are always checked, whatever the environment says, and nothing leads from
 * https to http. Throws RELEASE_UNREACHABLE and what the socket says.
 */
export async function request(url: URL, options: RequestOptions): Promise<Download> {
  let next = url;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await ask(next, options);
    const { statusCode = 0, headers } = response;
    if (!REDIRECTS.has(statusCode) || headers.location === undefined) return download(response, options);
    response.destroy();
    const target = URL.canParse(headers.location, next) ? new URL(headers.location, next) : undefined;
    const isAllowed =
      target?.protocol === 'https:' || (target?.protocol === 'http:' && next.protocol === 'http:');
    if (!target || !isAllowed)
      throw new Fault('RELEASE_UNREACHABLE', `${next.host} leads to where we do not go`);
    next = target;
  }
  throw new Fault('RELEASE_UNREACHABLE', `${url.host} leads on more than ${MOST_REDIRECTS} times`);
}

function ask(url: URL, { from, tag, clock, asked }: RequestOptions): Promise<IncomingMessage> {
  const headers = from > 0 && tag !== undefined ? { range: `bytes=${from}-`, 'if-range': tag } : {};
  const get = url.protocol === 'https:' ? getSecure : getPlain;
  return new Promise((resolve, reject) => {
    const asking = get(
      url,
      { headers, rejectUnauthorized: true, agent: false, signal: asked },
      (response) => {
        deadline[Symbol.dispose]();
        response.setTimeout(SILENT_MS, () => response.destroy());
        resolve(response);
      },
    );
    const deadline = clock.timer(SILENT_MS, () =>
      asking.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
    );
    asking.on('error', (error) => {
      deadline[Symbol.dispose]();
      reject(error);
    });
  });
}

function download(response: IncomingMessage, { from }: RequestOptions): Download {
  const { statusCode = 0, headers } = response;
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '');
  const isPart = statusCode === 206 && range !== null && Number(range[1]) === from;
  const all = statusCode === 416 ? /^bytes \*\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] : undefined;
  const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
  const etag = headers.etag?.startsWith('W/') ? undefined : headers.etag;
  // What has arrived when the line breaks is not to be lost with it: a stream that is destroyed drops what it holds.
  const chunks = new PassThrough({ highWaterMark: HELD });
  response.on('error', () => chunks.end());
  response.once('close', () => chunks.end());
  response.pipe(chunks);
  return {
    status: statusCode === 206 && !isPart ? 502 : statusCode,
    from: isPart ? from : 0,
    total: isPart ? Number(range[2]) : all === undefined ? length : Number(all),
    etag,
    chunks: chunks as AsyncIterable<Buffer>,
    isWhole: () => response.complete,
    close: () => response.destroy(),
  };
}
