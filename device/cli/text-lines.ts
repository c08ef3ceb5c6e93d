import type { Readable } from 'node:stream';

/**
 * The lines of a stream of UTF-8, each ended by a newline alone: Node's own also end at U+2028 and U+2029, which JSON
 * lets stand inside a text. A stream that is destroyed ends them; it never rejects.
 */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const text of stream.setEncoding('utf8')) {
      const [first = '', ...more] = (text as string).split('\n');
      rest += first;
      for (const next of more) {
        const line = rest;
        rest = next;
        yield line;
      }
    }
  } catch {
    return; // whoever holds the stream knows why it ended
  }
  if (rest !== '') yield rest;
}
