import type { Light } from './light.ts';

/** What a hand on the terminal meant. `at` is when the edge came (Clock.now). */
export type TerminalEvent =
  /** A button went down: listening may begin at once. */
  | { readonly kind: 'press'; readonly button: string; readonly at: number }
  /** A second press within 250 ms: what the first one began is not wanted. */
  | { readonly kind: 'withdraw'; readonly button: string; readonly at: number }
  | { readonly kind: 'release'; readonly button: string; readonly at: number; readonly heldMs: number }
  /** What the presses came to, when no more can follow. `long` comes while the button is still down. */
  | {
      readonly kind: 'gesture';
      readonly button: string;
      readonly gesture: 'click' | 'double' | 'triple' | 'long';
      readonly at: number;
    }
  | { readonly kind: 'wake'; readonly word: string; readonly score: number; readonly at: number }
  /** The hardware switch, or what has to be taken for it while the link is down. */
  | { readonly kind: 'mute'; readonly on: boolean; readonly at: number }
  | { readonly kind: 'encoder'; readonly delta: number; readonly at: number }
  | { readonly kind: 'fault'; readonly code: string; readonly at: number }
  /** After `lost` the release of a button that is down may never be told. */
  | { readonly kind: 'linked' | 'lost'; readonly at: number };

/** What the terminal is to show, always as a whole: absolute states, never toggles. */
export interface Panel {
  readonly light: Light;
  /** Of the lights, 0 to 100. */
  readonly brightness: number;
  /** 0 to 100. */
  readonly volume: number;
  /** Mirror of a mute that we decided; the hardware switch cannot be cleared from here. */
  readonly mute: boolean;
}

/**
 * Terminal: what the appliance knows and wants of the box on the serial line, across every unplug and reboot. The link
 * itself is a run of the `terminal` service.
 */
export interface Terminal {
  onEvent(listener: (event: TerminalEvent) => void): Disposable;
  /** Sent at once where the link is up, and whole after each reconnect or reboot of the terminal. */
  show(change: Partial<Panel>): void;
  readonly linked: boolean;
  /** The hardware mute is on, or was when the link was lost: nothing may be captured. */
  readonly muted: boolean;
  /** What the terminal said of itself in its last HELLO_ACK. */
  readonly model: string | undefined;
}
