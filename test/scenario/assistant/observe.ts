import { setTimeout as sleep } from 'node:timers/promises';
import { descendants, isAlive, type Process } from '../processes.ts';
import { monotonic, type Stage } from '../stage.ts';

/** Of 32,768: a chime at the volume of an appliance as it comes is twice as loud. */
const LOUD = 500;
const LOOK_MS = 20;

/** Looks until there is something to see; says what was expected where there is not in time. */
export async function until<T>(what: string, look: () => T | undefined | false, ms = 5000): Promise<T> {
  const late = new Error(`expected ${what} within ${ms} ms`);
  Error.captureStackTrace(late, until);
  const deadline = performance.now() + ms;
  do {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await sleep(LOOK_MS);
  } while (performance.now() < deadline);
  throw late;
}

/** Something came out of the speaker since then. */
export function sounded(stage: Stage, since: number): boolean {
  return stage.card.played(since, monotonic()).some((sample) => Math.abs(sample) > LOUD);
}

export async function untilSounds(stage: Stage, since: number, ms = 5000): Promise<void> {
  await until('something to hear', () => sounded(stage, since), ms);
}

/** The recorders, or the players, that the appliance runs now. */
export function programs(stage: Stage, name: 'arecord' | 'aplay'): readonly Process[] {
  return descendants(stage.appliance.pid).filter(
    ({ pid, command }) => command.includes(name) && isAlive(pid),
  );
}

export async function untilProgram(stage: Stage, name: 'arecord' | 'aplay', ms = 5000): Promise<Process> {
  return await until(`an ${name}`, () => programs(stage, name)[0], ms);
}

export async function untilNoProgram(stage: Stage, name: 'arecord' | 'aplay', ms = 5000): Promise<void> {
  await until(`no ${name}`, () => programs(stage, name).length === 0, ms);
}

/** The phase of the turn, as the status tells it. */
export async function phaseIs(stage: Stage, phase: string, ms = 5000): Promise<void> {
  await stage.appliance.untilPart('voice', ({ reason }) => reason === phase, ms);
}

/** Resolves when so many packets of an answer have gone out. */
export async function packetsSent(stage: Stage, number: number): Promise<void> {
  await stage.voice.next(
    `packet ${number}`,
    (event) => event.event === 'packet-sent' && event.number === number,
  );
}

/** Restarts of a part, by the status now. */
export async function restartsOf(stage: Stage, name: string): Promise<number> {
  const { parts } = await stage.appliance.status();
  return parts.find((part) => part.name === name)?.restarts ?? 0;
}
