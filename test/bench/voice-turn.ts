import { monotonic, type Stage } from '../scenario/stage.ts';
import { firstSoundMs, lastSoundMs } from './audible.ts';
import type { Trace } from './bench-event.ts';

/** What the light shows of a turn (user-experience notes 3): blue and steady, blue and running, a slow pulse of green. */
const LISTENING = { mode: 'steady', r: 0 };
const THINKING = { mode: 'run', r: 0 };
const SPEAKING = { mode: 'pulse', r: 0 };
const PLAYED_HZ = 48_000;

/** Times of one turn, in ms since the press. */
export interface TurnTimes {
  readonly litMs: number;
  readonly announcedMs: number;
  readonly understoodMs: number;
  readonly answeringMs: number;
  readonly soundingMs: number;
  readonly silentMs: number;
}

/**
 * One spoken turn from the press of the button to the last word of the answer, each step told with its time. Throws where
 * the room does not hear the whole answer.
 */
export async function speakTurn(
  stage: Stage,
  trace: Trace,
  question: string,
  expected: string,
): Promise<TurnTimes> {
  const { voice, terminal, card } = stage;
  const sound = await stage.speech.question(question);
  const from = monotonic();
  const since = () => monotonic() - from;
  const tell = (step: TurnStep, ms: number, text?: string) =>
    trace({ event: 'turn', step, ms, ...(text === undefined ? {} : { text }) });
  const shows = ({ mode, r }: typeof LISTENING) =>
    terminal.next('led', (led) => led.mode === mode && led.r === r, 60_000).then(() => since());
  const lit = shows(LISTENING);
  const announced = stage.next('listen-start').then(() => since());
  const dialled = voice.next(
    'a dial or a listening',
    ({ event }) => event === 'dialled' || event === 'listen-start',
  );
  tell('pressed', 0);
  stage.click();
  await dialled;
  const [litMs, announcedMs] = await Promise.all([lit, announced]);
  tell('lit', litMs);
  tell('announced', announcedMs);
  const understood = stage.next('understood', 60_000).then(({ text }) => ({ text, ms: since() }));
  const tool = stage.next('tool-called', 60_000).then(({ tool: name }) => ({ name, ms: since() }));
  tool.catch(() => undefined); // not every question takes a tool
  const answering = stage.next('tts-start', 60_000).then(() => since());
  const thinking = shows(THINKING);
  const speaking = shows(SPEAKING);
  const over = stage.next('tts-stop', 60_000);
  const { to } = card.speak(sound);
  tell('spoken', to - from, question);
  const heard = await understood;
  tell('understood', heard.ms, heard.text ?? '');
  tell('thinking', await thinking);
  const answeringMs = await answering;
  const called = await Promise.race([tool, Promise.resolve(undefined)]);
  if (called) tell('tool', called.ms, called.name);
  tell('answering', answeringMs);
  tell('speaking', await speaking);
  await over;
  await stage.next('listen-start', 30_000); // it listens again when the last sample was heard
  const played = card.played(from + answeringMs, monotonic());
  const soundingMs = answeringMs + firstSoundMs(played);
  const silentMs = answeringMs + lastSoundMs(played);
  tell('sounding', soundingMs);
  const text = await stage.speech.recognise(played, PLAYED_HZ);
  tell('silent', silentMs, text ?? '');
  if (text !== expected) throw new Error(`expected to hear "${expected}", heard "${text ?? 'nothing'}"`);
  return { litMs, announcedMs, understoodMs: heard.ms, answeringMs, soundingMs, silentMs };
}

export type TurnStep =
  | 'pressed'
  | 'lit'
  | 'announced'
  | 'spoken'
  | 'understood'
  | 'thinking'
  | 'tool'
  | 'answering'
  | 'speaking'
  | 'sounding'
  | 'silent';
