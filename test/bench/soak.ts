import { monotonic, type Stage } from '../scenario/stage.ts';
import { untilListed } from './ask.ts';
import type { Trace } from './bench-event.ts';
import type { Flags } from './flags.ts';
import { ownMemoryKb } from './numbers/process-cost.ts';

/** Turns before memory is compared: caches fill and code is compiled. */
const WARM_TURNS = 10;
/** Between two lines of the trace. */
const TELL_MS = 30_000;
const SPEAKER_HZ = 48_000;

/** Spoken questions in turn, each with its one right answer. */
const ROUNDS = {
  tones: [
    ['What is 1004 times 328?', 'The result is 329312.'],
    ['What is 15 percent of 80?', 'The result is 12.'],
    ['What is 2 plus 3?', 'The result is 5.'],
  ],
  real: [
    ['what is one thousand four times three hundred twenty eight', 'The result is 329312.'],
    ['what is two plus three', 'The result is 5.'],
  ],
} as const;

/**
 * Turns without a pause until the time is over: each question is heard, each answer comes out whole. Throws at the first
 * that does not, and at the end for what was lost on the way.
 */
export async function soak(
  stage: Stage,
  trace: Trace,
  speech: Flags['speech'],
  soakMs: number,
): Promise<void> {
  await stage.ready();
  await untilListed(stage.cloud, 'calculate');
  const until = monotonic() + soakMs;
  const times: number[] = [];
  const memory: number[] = [];
  let toldAt = monotonic();
  const listening = stage.next('listen-start');
  stage.click();
  await listening;
  while (monotonic() < until) {
    const [question, expected] = ROUNDS[speech][times.length % ROUNDS[speech].length] ?? ROUNDS[speech][0];
    times.push(await round(stage, question, expected));
    if (times.length > WARM_TURNS) memory.push(ownMemoryKb(stage.appliance.pid));
    if (monotonic() - toldAt < TELL_MS) continue;
    toldAt = monotonic();
    trace({ event: 'soaked', ...(await standing(stage, times, memory)) });
  }
  const closed = stage.next('closed');
  stage.click();
  await closed;
  const end = await standing(stage, times, memory);
  trace({ event: 'soaked', ...end });
  const { code, ms } = await stage.appliance.stop();
  trace({ event: 'stopped', code, ms });
  const left = await stage.appliance.leftovers(1000);
  const faults = [
    ...(end.lost > 0 ? [`${end.lost} frames lost`] : []),
    ...(end.xruns > 0 ? [`${end.xruns} xruns`] : []),
    ...(code === 0 ? [] : [`exit code ${code}`]),
    ...left.map(({ command }) => `left behind: ${command}`),
  ];
  if (faults.length > 0) throw new Error(faults.join('; '));
}

/** One turn of an appliance that listens already; the ms from the end of the question to the last word. */
async function round(stage: Stage, question: string, expected: string): Promise<number> {
  const from = monotonic();
  const sound = await stage.speech.question(question);
  const over = stage.next('tts-stop', 60_000);
  const { to } = stage.card.speak(sound);
  await over;
  await stage.next('listen-start', 30_000);
  const heard = await stage.speech.recognise(stage.card.played(from, monotonic()), SPEAKER_HZ);
  if (heard !== expected) throw new Error(`expected to hear "${expected}", heard "${heard ?? 'nothing'}"`);
  return monotonic() - to;
}

async function standing(stage: Stage, times: readonly number[], memory: readonly number[]) {
  const { counters } = await stage.appliance.status();
  const sorted = times.toSorted((a, b) => a - b);
  return {
    turns: times.length,
    ms: sorted[Math.floor(sorted.length / 2)] ?? 0,
    lost: (counters.sound_lost ?? 0) + (counters.sound_dropped ?? 0),
    xruns: stage.card.events().filter(({ what }) => what === 'xrun').length,
    growthKb: growthOf(memory),
  };
}

/** Garbage makes it go up and down by some MB: what stays is told by the least of the first and of the last third. */
function growthOf(memory: readonly number[]): number {
  const third = Math.floor(memory.length / 3);
  if (third === 0) return 0;
  return Math.min(...memory.slice(-third)) - Math.min(...memory.slice(0, third));
}
