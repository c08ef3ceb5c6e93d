import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Light, ledOf } from '../../../device/terminal/light.ts';
import { HEARD_HZ } from '../../cloud/voice/speech.ts';
import type { VoiceSession } from '../../cloud/voice/voice-session.ts';
import { monotonic, type Stage, type StageOptions, setStage } from '../stage.ts';

type Led = Readonly<Record<string, unknown>>;

/** Brightness of the lights where no settings say otherwise. */
const BRIGHT = 40;
/** Who presses anew waits so long that the last press cannot be the first of two. */
const HAND = { debounce_ms: 0, double_ms: 40 };
const HAND_MS = 100;
const BUSY: readonly Light[] = ['listening', 'thinking', 'speaking'];

let questions = 0;

/** A question that was not put before, so that no answer can be taken for another. */
export function freshQuestion(): string {
  return `question ${++questions}`;
}

/** What the cloud of `setTalk` says to a question. */
export function answerTo(question: string): string {
  return `the answer to ${question}`;
}

/** Sets a stage that talks and has no servers, with a cloud that needs little silence to know the end of a question. */
export async function setTalk(options: StageOptions = {}): Promise<Stage> {
  const { settings, voice } = options;
  const stage = await setStage({
    ...options,
    voice: { endpointMs: 150, graceMs: 3000, answer: async (question) => answerTo(question), ...voice },
    settings: { ...settings, terminal: { ...HAND, ...settings?.terminal } },
    appliance: { servers: {}, ...options.appliance },
  });
  await using held = new AsyncDisposableStack();
  held.use(stage);
  if (options.started ?? true) await stage.ready();
  held.move();
  return stage;
}

/** Resolves when the terminal shows this light, which it may do already. */
export async function untilLight(stage: Stage, light: Light, ms = 15_000): Promise<void> {
  await untilLed(stage, (led) => shows(led, light), ms);
}

/** Resolves when nobody listens, waits or speaks any more, whatever may be wrong, and a press is one of its own. */
export async function untilIdle(stage: Stage, ms = 15_000): Promise<void> {
  await untilLed(stage, (led) => !BUSY.some((light) => shows(led, light)), ms);
  await stage.terminal.settled();
  await sleep(HAND_MS);
}

/** Presses, and resolves with the session that listens. */
export async function call(stage: Stage): Promise<VoiceSession> {
  const listening = stage.next('listen-start');
  stage.click();
  const { session } = await listening;
  return await stage.voice.session(session);
}

/** Resolves when the microphone has been on since `from`: what is said now is recorded. */
export async function untilRecording(stage: Stage, from: number, ms = 15_000): Promise<void> {
  const isOn = () =>
    stage.card.events().some(({ side, what, at }) => side === 'microphone' && what === 'start' && at > from);
  for (const end = monotonic() + ms; !isOn(); await sleep(10)) {
    if (monotonic() > end) throw new Error(`expected a recorder within ${ms} ms`);
  }
}

export interface Asked {
  readonly question: string;
  readonly answer: string;
  readonly session: VoiceSession;
  /** When the button was pressed; see Stage.heard. */
  readonly from: number;
}

/** Presses and asks, and leaves what comes of it to whoever asked. */
export async function ask(stage: Stage): Promise<Asked> {
  const from = monotonic();
  const session = await call(stage);
  await stage.next('audio');
  const question = freshQuestion();
  await stage.speak(question);
  return { question, answer: answerTo(question), session, from };
}

/** Whoever speaks in the room stops. */
export function hush(stage: Stage): void {
  stage.card.speak(new Int16Array(3 * HEARD_HZ));
}

/** The cloud ends the session as conversations end. Resolves when the appliance rests. */
export async function rest(stage: Stage): Promise<void> {
  const session = stage.voice.sessions.at(-1);
  if (session?.open) await session.close(1000);
  await untilIdle(stage);
}

/** An idle appliance does what it is for: question in, answer out, whole. It rests again afterwards. */
export async function expectTurn(stage: Stage): Promise<void> {
  const { stack = '' } = new Error('the turn');
  await onceUndisturbed(stage, async () => {
    const question = freshQuestion();
    const heard = await stage.turn(question);
    await rest(stage);
    await untilLight(stage, 'ready');
    assert.equal(heard, answerTo(question), stack);
  });
}

/** Tries again, twice at most, where it failed and the speaker ran dry meanwhile: this machine was too busy for sound. */
export async function onceUndisturbed(stage: Stage, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const from = monotonic();
    try {
      await work();
      return;
    } catch (error) {
      const isDry = stage.card.events().some(({ at, what }) => what === 'xrun' && at > from);
      if (!isDry || tries === 3) throw error;
    }
  }
}

/** Failures of an exchange that the appliance has told so far. */
export function failures(stage: Stage): unknown[] {
  return stage.appliance.log
    .filter(({ fields }) => fields.event === 'exchange_failed')
    .map(({ fields }) => fields.code);
}

async function untilLed(stage: Stage, fits: (led: Led) => boolean, ms: number): Promise<void> {
  const last = stage.terminal.record.findLast(({ what }) => what === 'led');
  if (!last || !fits(last.payload)) await stage.terminal.next('led', fits, ms);
}

function shows(led: Led, light: Light): boolean {
  return Object.entries(ledOf(light, BRIGHT)).every(([key, value]) => led[key] === value);
}
