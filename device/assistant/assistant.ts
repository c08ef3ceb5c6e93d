import type { Random } from '#kernel/backoff.ts';
import { type Clock, within } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import type { Log } from '#kernel/log.ts';
import { CardMicrophone } from '../audio/microphone/card-microphone.ts';
import { announcementOf } from '../audio/speaker/announcement.ts';
import type { Earcon } from '../audio/speaker/speaker.ts';
import { CardSpeaker } from '../audio/speaker/speaker-card.ts';
import type { Settings } from '../config/defaults.ts';
import type { Undone } from '../release/undone.ts';
import type { PartStatus } from '../supervisor/status.ts';
import { TerminalBox } from '../terminal/box.ts';
import type { Light } from '../terminal/light.ts';
import { lightOf, soundOf } from '../voice/face.ts';
import { attachHands } from '../voice/hands.ts';
import type { Phase } from '../voice/turn/words.ts';
import { Voice } from '../voice/voice.ts';
import { Memory } from './memory.ts';
import { Mute } from './mute.ts';
import { UndoNews } from './undo-news.ts';

export interface AssistantOptions {
  readonly settings: Settings;
  /** State folder; it has to be there. */
  readonly folder: string;
  /** Environment of players and recorders. */
  readonly soundEnv: Readonly<Record<string, string>>;
  /** What is spoken under these settings is spoken in it. */
  readonly language: (settings: Settings) => 'ja' | 'en';
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Every part as it is now. */
  readonly parts: () => readonly PartStatus[];
  /** Whether an update goes on, and one that was undone and not acknowledged. */
  readonly release: () => { readonly updating: boolean; readonly undone: Undone | undefined };
}

/** The tone of the wake word is waited for so long; a card that hangs must not keep anybody from speaking. */
const WAKE_TONE_MS = 500;

/** One detent of the knob. */
const VOLUME_STEP = 5;

/**
 * Assistant: the parts that a person meets, joined. They live as long as the appliance; the services that drive them come
 * and go (declare.ts).
 */
export class Assistant {
  readonly terminal: TerminalBox;
  readonly microphone: CardMicrophone;
  readonly speaker: CardSpeaker;
  readonly voice = new Voice();
  readonly mute: Mute;
  readonly #memory: Memory;
  readonly #undoNews: UndoNews;
  readonly #options: AssistantOptions;
  #settings: Settings;
  #light: Light = 'starting';
  #sounded: Light | undefined = 'starting';
  #hands: Disposable;
  /** The code that waits to be entered. */
  #digits: string | undefined;
  #over = false;

  private constructor(options: AssistantOptions, memory: Memory) {
    const { settings, clock, random, log, soundEnv } = options;
    this.#options = options;
    this.#settings = settings;
    this.#memory = memory;
    const { volume, muted } = memory.now;
    this.terminal = new TerminalBox({
      clock,
      random,
      log: log.child({ service: 'terminal' }),
      panel: { light: 'starting', brightness: settings.terminal.brightness, volume, mute: false },
      muted,
    });
    this.microphone = new CardMicrophone(log.child({ service: 'microphone' }));
    this.speaker = new CardSpeaker({
      player: { command: 'aplay', device: settings.audio.speaker, env: soundEnv },
      volume,
      sounds: settings.audio.sounds,
      clock,
      log: log.child({ service: 'speaker' }),
    });
    this.mute = new Mute({
      terminal: this.terminal,
      microphone: this.microphone,
      voice: this.voice,
      memory,
      hasTerminal: () => this.#settings.terminal.port !== '',
      onChange: (on) => {
        this.#chime(on ? 'mute' : 'unmute');
        this.look();
      },
    });
    this.#undoNews = new UndoNews({
      ...{ memory, clock, speaker: this.speaker, env: soundEnv },
      language: () => options.language(this.#settings),
      isQuiet: () => !this.#over && this.voice.turn.phase.at === 'idle',
    });
    this.#hands = this.#attachHands();
    this.voice.onEvent((event) => {
      if (event.kind === 'turn') this.#follow(event.turn.phase.at);
      else if (event.kind === 'refused muted') this.#refuseMuted();
      else if (event.kind === 'failed') this.#fail(event.code);
      else if (event.kind === 'alert') this.#chime('setup');
    });
    this.mute.follow();
  }

  static async open(options: AssistantOptions): Promise<Assistant> {
    const { settings, folder, clock, log } = options;
    const first = { volume: settings.audio.volume, muted: false };
    return new Assistant(options, await Memory.open(folder, first, clock, log));
  }

  get settings(): Settings {
    return this.#settings;
  }

  /** Goes over to other settings; what needs a new run of a service gets it by its declaration. */
  configure(settings: Settings): void {
    this.#settings = settings;
    const { audio } = settings;
    this.terminal.show({ brightness: settings.terminal.brightness });
    this.speaker.sounds = audio.sounds;
    this.speaker.player = { ...this.speaker.player, device: audio.speaker };
    this.#hands[Symbol.dispose]();
    this.#hands = this.#attachHands();
    this.mute.follow();
  }

  get volume(): number {
    return this.speaker.volume;
  }

  /** 0 to 100; what is beyond is brought to the end of the scale. Remembered over a power cut. */
  set volume(percent: number) {
    const volume = Math.max(0, Math.min(100, Math.round(percent)));
    this.speaker.volume = volume;
    this.terminal.show({ volume });
    this.#memory.keep({ volume });
  }

  /** The wake word was said here. Its sound is over before anybody listens, so that it is not taken for a word. */
  async wake(word: string): Promise<void> {
    const { phase } = this.voice.turn;
    if (phase.at === 'idle' && !this.mute.on)
      await within(this.#options.clock, WAKE_TONE_MS, this.speaker.chime('wake'));
    this.voice.call({ by: 'wake', word });
  }

  /** The owner has to enter this code in the console of the cloud. */
  showCode(digits: string): void {
    if (digits === this.#digits) return;
    this.#digits = digits;
    void this.#announce(digits);
  }

  /** Shows what there is to see, and sounds what has changed: once a change, never once a retry. */
  look(): void {
    const { voice, mute, terminal } = this;
    const parts = this.#options.parts();
    const { updating, undone } = this.#options.release();
    const light = lightOf({
      // Nobody listens to who types.
      phase: voice.turn.typed && voice.turn.phase.at === 'connecting' ? 'thinking' : voice.turn.phase.at,
      muted: mute.on,
      updating,
      starting: parts.some(({ state, restarts }) => state === 'starting' && restarts === 0),
      troubles: troublesOf(parts),
    });
    this.#light = light;
    terminal.show({ light });
    if (voice.turn.phase.at !== 'idle' || light === 'muted') return;
    const isTold = undone && light !== 'starting' && light !== 'updating' && this.#undoNews.tell(undone);
    if (light === this.#sounded) return;
    this.#sounded = light;
    if (isTold && light === 'rolled-back') return;
    const sound = soundOf(light);
    if (sound) this.#chime(sound);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true;
    this.#hands[Symbol.dispose]();
    await this.speaker.stop();
    await this.#memory[Symbol.asyncDispose]();
  }

  #attachHands(): Disposable {
    const { click, double, triple, long, doubleMs, longMs } = this.#settings.terminal;
    return attachHands({
      terminal: this.terminal,
      voice: this.voice,
      actions: { click, double, triple, long },
      doubleMs,
      longMs,
      tellState: () => this.#chime(soundOf(this.#light) ?? 'ready'),
      turnVolume: (steps) => {
        this.volume += steps * VOLUME_STEP;
      },
    });
  }

  /** A press on a microphone that only software has muted takes that back; the switch is not ours. */
  #refuseMuted(): void {
    if (this.mute.byTerminal) this.#chime('mute');
    else this.mute.ask(false);
  }

  /** What sounds of itself is over before anybody listens: it would be taken for a word. */
  #follow(phase: Phase['at']): void {
    if (phase === 'connecting' || phase === 'listening') void this.speaker.hush();
    this.look();
  }

  #fail(code: Code): void {
    this.#options.log.warn('exchange_failed', { code });
    // Who speaks to an appliance that is not registered yet is told what is missing.
    if (code === 'VOICE_CODE' && this.#digits !== undefined) void this.#announce(this.#digits);
    // Somebody waits to hear how it went, be it what was told before.
    else this.#sounded = undefined;
  }

  async #announce(digits: string): Promise<void> {
    const { soundEnv, clock, language } = this.#options;
    const spoken = language(this.#settings);
    const sound = await announcementOf(digits, { language: spoken, env: soundEnv, clock });
    if (!this.#over && this.voice.turn.phase.at === 'idle') await this.speaker.announce(sound);
  }

  #chime(name: Earcon): void {
    if (this.voice.turn.phase.at === 'idle') void this.speaker.chime(name);
  }
}

function troublesOf(parts: readonly PartStatus[]): Code[] {
  return parts.flatMap(({ state, code }) => (state !== 'ready' && state !== 'stopped' && code ? [code] : []));
}
