import type { Terminal, TerminalEvent } from '../terminal/terminal.ts';
import type { Voice } from './voice.ts';

/** What a press of the button is for (settings of `terminal`). */
export type Action = 'talk' | 'stop' | 'status' | 'none';

export interface HandsOptions {
  readonly terminal: Pick<Terminal, 'onEvent'>;
  readonly voice: Pick<Voice, 'call' | 'letLeave' | 'withdraw' | 'finish' | 'stop' | 'mode' | 'refuses'>;
  readonly actions: Readonly<Record<'click' | 'double' | 'triple' | 'long', Action>>;
  /** A second press within this makes a double; ms. */
  readonly doubleMs: number;
  /** A press held for so long is long; ms. */
  readonly longMs: number;
  /** Sounds how the appliance is. */
  readonly tellState: () => void;
  /** Changes the volume by steps of the encoder. */
  readonly turnVolume: (steps: number) => void;
}

/** What hands do on the terminal becomes what the conversation hears of them, until disposed. */
export function attachHands(options: HandsOptions): Disposable {
  let pressedAt: number | undefined;
  return options.terminal.onEvent((event) => {
    if (event.kind === 'press') pressedAt = event.at;
    // A cable that is pulled lets go of the button: nobody could say so any more.
    const isLetGo = event.kind === 'release' || (event.kind === 'lost' && pressedAt !== undefined);
    if (isLetGo) {
      letGo(options, event.at - (pressedAt ?? event.at));
      pressedAt = undefined;
    } else {
      follow(options, event);
    }
  });
}

/** Held to talk: the question is over when the button is let go. */
function letGo({ voice, actions, longMs }: HandsOptions, heldMs: number): void {
  if (voice.mode === 'manual' || (heldMs >= longMs && actions.long === 'talk')) voice.finish();
}

function follow(options: HandsOptions, event: TerminalEvent): void {
  const { voice, actions, doubleMs, longMs } = options;
  switch (event.kind) {
    case 'press':
      // At the edge, not when it is known to be a click: nobody waits 250 ms to speak. What is said meanwhile is held,
      // until the press cannot be the first of two any more; then the gesture lets it go.
      // A call takes a mute back: a press does so only when it is known to be no half of something else.
      if (actions.click === 'talk' && !voice.refuses)
        voice.call({ by: 'button' }, event.at + longMs + doubleMs);
      break;
    case 'withdraw':
      if (actions.click === 'talk') voice.withdraw();
      break;
    case 'gesture': {
      const { gesture } = event;
      const action = actions[gesture];
      const isOne = gesture === 'click' || gesture === 'long';
      const hasCalled = isOne && !voice.refuses;
      if (isOne) voice.letLeave();
      if (action === 'stop') voice.stop();
      else if (action === 'status') options.tellState();
      else if (action === 'talk' && !hasCalled) voice.call({ by: 'button' });
      break;
    }
    case 'wake':
      voice.call({ by: 'wake', word: event.word });
      break;
    case 'encoder':
      options.turnVolume(event.delta);
      break;
    case 'mute': // the appliance obeys it before anybody else (device/assistant/mute.ts)
    case 'release':
    case 'fault':
    case 'linked':
    case 'lost':
      break;
  }
}
