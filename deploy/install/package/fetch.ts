import { createHash } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { constants, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { backoff } from '#kernel/backoff.ts';
import { errnoOf, Fault } from '#kernel/fault.ts';
import { readObject } from '#kernel/json-file.ts';
import type { Context } from '../context.ts';
import { isFull, writeDurably } from '../store/durable.ts';
import { MAX_ARCHIVE } from './archive.ts';
import { type Download, request } from './download.ts';

/** A line that breaks is taken up again so often, as long as bytes have come in between. */
const TRIES = 6;
const RETRY = { firstMs: 1000, maxMs: 15_000, jitter: 0.3 };
/** The whole of it; a release is 50 to 60 MB. */
const WHOLE_MS = 60 * 60_000;

export interface Fetched {
  readonly path: string;
  /** Host and file name: the rest of an URL can be a key. */
  readonly name: string;
}

/**
 * Fetches a release into the store. What came of an earlier try is kept and continued, if the server says that the file is
 * still the same (ETag). Throws RELEASE_UNREACHABLE, and RELEASE_INCOMPLETE where the line breaks again and again.
 */
export async function fetchRelease(context: Context, text: string): Promise<Fetched> {
  const { store, clock, report, asked } = context;
  const url = parseUrl(text);
  const name = `${url.host}/…/${basename(url.pathname)}`;
  store.prepare();
  const path = join(store.places.incoming, `${createHash('sha256').update(text).digest('hex')}.part`);
  const whole = clock.now() + WHOLE_MS;
  report.step('fetching', name);
  for (let attempt = 0; ; attempt++) {
    const held = sizeOf(path);
    const outcome = await fetchOnce(context, url, path, whole);
    if (outcome.done) return { path, name };
    const { fault, isFinal = false } = outcome;
    if (isFinal || attempt + 1 >= TRIES || clock.now() > whole || asked.aborted) throw fault;
    await clock.sleep(backoff(RETRY, sizeOf(path) > held ? 0 : attempt, Math.random), asked);
  }
}

/** What a second try can mend; a wrong certificate, say, it cannot. */
const PASSING = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
]);

/** Where it is noted what a server calls the file that a download is of. */
export function tagOf(path: string): string {
  return `${path}.json`;
}

type Outcome =
  | { readonly done: true }
  | { readonly done: false; readonly fault: Fault; readonly isFinal?: boolean };

async function fetchOnce(context: Context, url: URL, path: string, whole: number): Promise<Outcome> {
  const { clock, asked } = context;
  const tag = readObject(tagOf(path))?.etag;
  const held = typeof tag === 'string' ? sizeOf(path) : 0;
  let download: Download;
  try {
    download = await request(url, { from: held, tag: held > 0 ? String(tag) : undefined, clock, asked });
  } catch (error) {
    if (error instanceof Fault) return { done: false, fault: error, isFinal: true };
    // Node's own texts can quote the address.
    const errno = errnoOf(error);
    const fault = new Fault('RELEASE_UNREACHABLE', `${url.host}: ${errno || 'no answer'}`);
    return { done: false, fault, isFinal: !PASSING.has(errno) };
  }
  const { status, from, total, etag, chunks } = download;
  if (status === 416 && held > 0) return endedBefore(download, path, held);
  if (status !== 200 && status !== 206) {
    download.close();
    rmSync(path, { force: true });
    return {
      done: false,
      isFinal: true,
      fault: new Fault('RELEASE_UNREACHABLE', `${url.host} answers ${status}`),
    };
  }
  writeDurably(tagOf(path), JSON.stringify({ etag: etag ?? null }));
  const got = await keep(path, from, chunks, () => clock.now() > whole || asked.aborted);
  download.close();
  if (got > MAX_ARCHIVE)
    return {
      done: false,
      isFinal: true,
      fault: new Fault('RELEASE_DAMAGED', `expected ${MAX_ARCHIVE} bytes at most`),
    };
  if (download.isWhole() && (total === undefined || got === total)) return { done: true };
  const known = total === undefined ? '' : ` of ${total}`;
  return { done: false, fault: new Fault('RELEASE_INCOMPLETE', `got ${got}${known} bytes`) };
}

/**
 * There is no byte behind those that are here, of a file that is still the same (RFC 9110, 13.2.2: a range counts only
 * where If-Range holds): an earlier run had fetched all of it, and did not get to install it.
 */
function endedBefore(download: Download, path: string, held: number): Outcome {
  download.close();
  if (download.total === held) return { done: true };
  rmSync(path, { force: true });
  return {
    done: false,
    fault: new Fault('RELEASE_INCOMPLETE', `got ${held} of ${download.total ?? '?'} bytes`),
  };
}

/** Writes what comes behind what is there; returns how many bytes the file has then. */
async function keep(
  path: string,
  from: number,
  chunks: AsyncIterable<Buffer>,
  isOver: () => boolean,
): Promise<number> {
  const { O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const file = await open(path, O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
  let size = from;
  try {
    await file.truncate(from);
    for await (const chunk of chunks) {
      await file.write(chunk, 0, chunk.length, size);
      size += chunk.length;
      if (size > MAX_ARCHIVE || isOver()) break;
    }
  } catch (error) {
    if (isFull(error)) {
      rmSync(path, { force: true }); // the appliance has to write as well
      throw new Fault('UPDATE_NO_SPACE', 'the store ran full while the release was fetched', {
        cause: error,
      });
    }
    // The line broke: what has come is kept.
  } finally {
    await file.close();
  }
  return size;
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new Fault('RELEASE_UNREACHABLE', 'the URL cannot be read');
  const url = new URL(text);
  if (['https:', 'http:'].includes(url.protocol)) return url;
  throw new Fault('RELEASE_UNREACHABLE', `expected https or http, got ${url.protocol.slice(0, 20)}`);
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}
