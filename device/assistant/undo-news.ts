import type { Clock } from '#kernel/clock.ts';
import { sentence } from '#kernel/codes.ts';
import { speechOf } from '../audio/speaker/announcement.ts';
import type { CardSpeaker } from '../audio/speaker/speaker-card.ts';
import type { Undone } from '../release/undone.ts';
import type { Memory } from './memory.ts';

export interface UndoNewsOptions {
  readonly speaker: Pick<CardSpeaker, 'announce' | 'chime' | 'sounds'>;
  readonly memory: Pick<Memory, 'now' | 'keep'>;
  /** Environment of the speech program. */
  readonly env: Readonly<Record<string, string>>;
  readonly language: () => 'ja' | 'en';
  /** Nothing else sounds, and nobody speaks. */
  readonly isQuiet: () => boolean;
  readonly clock: Clock;
}

/** Kana, since the program reads no kanji; what is to be typed is for a screen. */
const SPOKEN = {
  ja: 'うまく うごかない はんが あったので、まえの はんに もどしました。',
  en: sentence('UPDATE_UNDONE', 'en'),
} as const;

/** UndoNews: tells of an update that was undone, aloud and once, also over a restart. Where nothing speaks it sounds. */
export class UndoNews {
  readonly #options: UndoNewsOptions;
  /** In this life; whether it was heard is for the next one. */
  #begun: string | undefined;

  constructor(options: UndoNewsOptions) {
    this.#options = options;
  }

  /** True where this one is news, which is then told: whoever looks need not sound it. */
  tell({ version, at }: Pick<Undone, 'version' | 'at'>): boolean {
    const name = `${version} ${at}`;
    const { memory, speaker, isQuiet } = this.#options;
    if (name === this.#begun || name === memory.now.undone || !speaker.sounds || !isQuiet()) return false;
    this.#begun = name;
    void this.#say(name);
    return true;
  }

  async #say(name: string): Promise<void> {
    const { speaker, memory, env, language, isQuiet, clock } = this.#options;
    const spoken = language();
    const sound = await speechOf(SPOKEN[spoken], { language: spoken, env, clock });
    if (!isQuiet()) {
      this.#begun = undefined; // somebody began to speak meanwhile: later
      return;
    }
    const isHeard = sound ? await speaker.announce(sound) : await speaker.chime('rolled-back');
    if (isHeard) memory.keep({ undone: name });
  }
}
