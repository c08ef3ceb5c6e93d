import type { CardMicrophone } from '../audio/microphone/card-microphone.ts';
import type { TerminalBox } from '../terminal/box.ts';
import type { Voice } from '../voice/voice.ts';
import type { Memory } from './memory.ts';

export interface MuteParts {
  readonly terminal: TerminalBox;
  readonly microphone: Pick<CardMicrophone, 'muted' | 'mute'>;
  readonly voice: Pick<Voice, 'mute'>;
  readonly memory: Pick<Memory, 'keep'>;
  /** A terminal is configured: its word counts, also while it is not there. */
  readonly hasTerminal: () => boolean;
  /** The microphone went off or on. */
  readonly onChange: (on: boolean) => void;
}

/**
 * Mute: nothing is captured while any reason for it holds. The switch of the terminal is its own: it counts also while
 * the terminal is away, and over a power cut, until it says otherwise.
 */
export class Mute {
  readonly #parts: MuteParts;
  #asked = false;

  constructor(parts: MuteParts) {
    this.#parts = parts;
    parts.terminal.onEvent((event) => {
      if (event.kind === 'mute') this.follow();
    });
  }

  get on(): boolean {
    return this.#asked || this.byTerminal;
  }

  /** The switch of the terminal is on, or has to be taken for it. */
  get byTerminal(): boolean {
    const { terminal, hasTerminal } = this.#parts;
    return hasTerminal() && terminal.muted;
  }

  /** Mutes by software; clearing it clears nothing of the switch. */
  ask(on: boolean): void {
    this.#asked = on;
    this.#parts.terminal.show({ mute: on });
    this.follow();
  }

  /** Brings everybody to what holds now: first who captures. To be called once before anybody can. */
  follow(): void {
    const { terminal, microphone, voice, memory, onChange } = this.#parts;
    memory.keep({ muted: terminal.muted });
    const { on } = this;
    if (microphone.muted === on) return;
    microphone.mute(on);
    voice.mute(on);
    onChange(on);
  }
}
