import type { Readable } from 'node:stream';
import type { Clock } from '#kernel/clock.ts';
import type { Fields, Log } from '#kernel/log.ts';
import { headOf } from './head.ts';
import { LineSplitter } from './lines.ts';

/** A server may write so many lines to stderr in a row; then so many a second. The rest is counted. */
const BURST = 100;
const PER_SECOND = 20;
const SHOWN_BYTES = 1000;

/** A server's stderr goes to the log under its name, at a bounded rate: a flood must not fill the card. */
export function logStderr(stderr: Readable, log: Log, clock: Clock): void {
  let allowance = BURST;
  let filledAt = clock.now();
  let dropped = 0;
  const show = (text: Buffer, more: Fields) => {
    const now = clock.now();
    allowance = Math.min(BURST, allowance + ((now - filledAt) / 1000) * PER_SECOND);
    filledAt = now;
    if (allowance < 1) {
      dropped++;
      return;
    }
    allowance--;
    log.info('stderr', {
      text: headOf(text, SHOWN_BYTES),
      ...more,
      ...(dropped > 0 ? { dropped } : {}),
    });
    dropped = 0;
  };
  const splitter = new LineSplitter({
    line: (line) => show(line, {}),
    tooLong: (head) => show(head, { cut: true }),
  });
  stderr.on('data', (chunk: Buffer) => splitter.push(chunk));
  stderr.on('end', () => splitter.end()); // last words often come without a newline
  stderr.on('error', () => {}); // the end of the child is told by its exit
}
