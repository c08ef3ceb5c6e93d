import { stringify } from 'smol-toml';
import { type Cloud, type CloudOptions, startCloud } from '../cloud/cloud.ts';
import type { Timed } from '../cloud/events.ts';
import type { Speech } from '../cloud/voice/speech.ts';
import { tones } from '../cloud/voice/tones.ts';
import { startVoiceCloud, type VoiceCloud, type VoiceCloudOptions } from '../cloud/voice/voice-cloud.ts';
import type { VoiceEvent } from '../cloud/voice/voice-event.ts';
import { type BenchTerminal, type PlugOptions, plugTerminal } from '../terminal/plug.ts';
import { openSoundCard, type SoundCard, type SoundCardOptions } from '../terminal/sound-card.ts';
import { type Appliance, type ApplianceOptions, startAppliance } from './appliance.ts';

type Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface StageOptions {
  /** Default `tones`. */
  readonly speech?: Speech;
  /** Tables of appliance.toml, over those that join the appliance to the stage. */
  readonly settings?: Tables;
  /** `registered`: the appliance has to register itself first. Default: address and token stand in the settings. */
  readonly access?: 'by hand' | 'registered';
  readonly voice?: Omit<VoiceCloudOptions, 'speech' | 'tools'>;
  readonly tools?: CloudOptions;
  readonly card?: SoundCardOptions;
  /** False: none is configured. */
  readonly terminal?: PlugOptions | false;
  readonly appliance?: Omit<ApplianceOptions, 'cloud' | 'settings' | 'verb'>;
  /** False: everything is there but the appliance. */
  readonly started?: boolean;
}

/** Milliseconds of CLOCK_MONOTONIC, as the sound card has them. */
export function monotonic(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Sets up everything that stands around an appliance that speaks, and starts it. */
export async function setStage(options: StageOptions = {}): Promise<Stage> {
  await using made = new AsyncDisposableStack();
  const speech = options.speech ?? tones();
  const cloud = made.use(await startCloud(options.tools ?? {}));
  const voice = made.use(await startVoiceCloud({ ...options.voice, speech, tools: cloud }));
  const card = made.use(await openSoundCard(options.card));
  const terminal = options.terminal === false ? undefined : made.use(await plugTerminal(options.terminal));
  const stage = new Stage({ speech, cloud, voice, card, terminal, options, held: made.move() });
  await using held = new AsyncDisposableStack();
  held.use(stage);
  if (options.started ?? true) stage.start();
  held.move();
  return stage;
}

interface StageParts {
  readonly speech: Speech;
  readonly cloud: Cloud;
  readonly voice: VoiceCloud;
  readonly card: SoundCard;
  readonly terminal: BenchTerminal | undefined;
  readonly options: StageOptions;
  readonly held: AsyncDisposableStack;
}

/** Stage: one appliance with its clouds, its terminal and the room that it stands in. */
export class Stage implements AsyncDisposable {
  readonly speech: Speech;
  readonly cloud: Cloud;
  readonly voice: VoiceCloud;
  readonly card: SoundCard;
  readonly #terminal: BenchTerminal | undefined;
  readonly #options: StageOptions;
  readonly #held: AsyncDisposableStack;
  #appliance: Appliance | undefined;

  constructor({ speech, cloud, voice, card, terminal, options, held }: StageParts) {
    this.speech = speech;
    this.cloud = cloud;
    this.voice = voice;
    this.card = card;
    this.#terminal = terminal;
    this.#options = options;
    this.#held = held;
  }

  get appliance(): Appliance {
    if (!this.#appliance) throw new Error('the appliance of this stage was not started');
    return this.#appliance;
  }

  get terminal(): BenchTerminal {
    if (!this.#terminal) throw new Error('this stage has no terminal');
    return this.#terminal;
  }

  /** What joins an appliance to this stage, as appliance.toml. */
  get settings(): string {
    const { voice, card, cloud } = this;
    const byHand = { url: voice.url, token: voice.token };
    const access = this.#options.access === 'registered' ? { activation_url: voice.activationUrl } : byHand;
    const own: Tables = {
      endpoint: { url: cloud.endpoint },
      voice: access,
      audio: { microphone: card.microphone, speaker: card.speaker },
      ...(this.#terminal ? { terminal: { port: this.#terminal.path } } : {}),
    };
    const given = this.#options.settings ?? {};
    const names = new Set([...Object.keys(own), ...Object.keys(given)]);
    return stringify(Object.fromEntries([...names].map((name) => [name, { ...own[name], ...given[name] }])));
  }

  start(): Appliance {
    const { env, ...rest } = this.#options.appliance ?? {};
    const appliance = startAppliance({
      ...rest,
      settings: this.settings,
      env: { ...this.card.env, ...env },
    });
    this.#held.use(appliance);
    this.#appliance = appliance;
    return appliance;
  }

  /** Resolves when the appliance is ready for a turn: linked, with sound, and its tools listed. */
  async ready(ms = 30_000): Promise<void> {
    const parts = ['speaker', 'microphone', 'voice', ...(this.#terminal ? ['terminal'] : [])];
    await this.appliance.until(
      'everything that a turn needs to be ready',
      (status) =>
        parts.every((name) => status.parts.some((part) => part.name === name && part.state === 'ready')),
      ms,
    );
    await this.cloud.tools(ms);
  }

  /** Presses and lets go, as a hand does. */
  click(): void {
    this.terminal.press();
    this.terminal.release();
  }

  /** The next event of this name. */
  next<E extends VoiceEvent['event']>(
    event: E,
    ms = 20_000,
  ): Promise<Timed<Extract<VoiceEvent, { event: E }>>> {
    return this.voice.next(event, (told) => told.event === event, ms) as never;
  }

  /** Says a question into the room, once the appliance listens. Resolves with when it sounded. */
  async speak(question: string): Promise<{ readonly from: number; readonly to: number }> {
    return this.card.speak(await this.speech.question(question));
  }

  /** What was said aloud since a time; see Speech.recognise. */
  async heard(since: number): Promise<string | undefined> {
    return await this.speech.recognise(this.card.played(since, monotonic()), 48_000);
  }

  /** One whole turn from an idle appliance: press, question, answer to its last word. Resolves with what was heard of it. */
  async turn(question: string): Promise<string | undefined> {
    const from = monotonic();
    const listening = Promise.all([this.next('listen-start'), this.next('audio')]);
    this.click();
    await listening; // and hears: a recorder that is made of a script takes its time to start
    const over = this.next('tts-stop', 60_000);
    await this.speak(question);
    await over;
    await this.next('listen-start', 30_000); // it listens again only when the last sample was heard
    return await this.heard(from);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#held[Symbol.asyncDispose]();
  }
}
