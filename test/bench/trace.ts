import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { BenchEvent, Trace } from './bench-event.ts';
import { inWords } from './words.ts';

type Out = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY'>>;

/** One JSON object a line: `t` in whole ms, `event`, and what belongs to it. Tools are told by their names. */
export function jsonTrace(out: Out): Trace {
  const born = performance.now();
  return (told) => {
    const { event, ...rest } = told;
    const t = Math.round(performance.now() - born);
    out.write(`${JSON.stringify({ t, event, ...rest }, plain)}\n`);
  };
}

function plain(key: string, value: unknown): unknown {
  if (key === 'tools') return (value as { name: string }[]).map(({ name }) => name);
  if (key === 'ms') return Math.round(Number(value) * 10) / 10;
  return key === 'at' ? undefined : value; // the cloud's own clock: `t` says it already
}

/** Lines to read along with, in colour on a terminal unless NO_COLOR is set. */
export function readableTrace(out: Out): Trace {
  const born = performance.now();
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    out.isTTY === true && !process.env.NO_COLOR ? styleText(style, text, { validateStream: false }) : text;
  return (event) => {
    const line = inWords(event);
    if (line === '') return;
    const t = `${Math.round(performance.now() - born)}`.padStart(6);
    if (event.event === 'verdict') out.write(`\n${paint(['bold', event.pass ? 'green' : 'red'], line)}\n`);
    else out.write(`${paint('dim', `${t} ms`)}  ${paint(styleOf(event), line)}\n`);
  };
}

function styleOf({ event }: BenchEvent): Parameters<typeof styleText>[0] {
  if (event === 'step') return 'bold';
  if (event === 'said') return 'green';
  if (event === 'complaint' || event === 'refused') return 'red';
  return event === 'sent' || event === 'answered' ? 'dim' : 'reset';
}
