import { type Payload, plainText } from './payload.ts';

export const LINK = { ack: 0, hello: 1, helloAck: 2, ping: 3, pong: 4, helloWanted: 5 } as const;

/** What we ask of the terminal: absolute states, so that saying it twice does no harm. */
export const COMMAND = {
  led: 1,
  volume: 2,
  micGain: 3,
  mute: 4,
  getInfo: 5,
  getState: 6,
  reboot: 7,
} as const;

const EVENT = { button: 1, mute: 2, wake: 3, encoder: 4, battery: 5, temp: 6, fault: 7 } as const;

const ACTIONS = ['press', 'release', 'click', 'double', 'triple', 'long'] as const;
export type Action = (typeof ACTIONS)[number];

/** What the terminal tells, checked. Battery and temperature are known to the link and used by nobody yet. */
export type Message =
  | { readonly kind: 'button'; readonly id: string; readonly action: Action }
  | { readonly kind: 'mute'; readonly on: boolean; readonly source: 'hw' | 'sw' }
  | { readonly kind: 'wake'; readonly word: string; readonly score: number }
  | { readonly kind: 'encoder'; readonly delta: number }
  | { readonly kind: 'fault'; readonly code: string };

/** More steps than this in one message are a slip of the firmware. */
const MAX_DELTA = 100;

/** Reads an event; `undefined` for what is not known, or is not what its type says. */
export function messageOf(type: number, said: Payload): Message | undefined {
  return READERS[type]?.(said);
}

const READERS: Readonly<Record<number, (said: Payload) => Message | undefined>> = {
  [EVENT.button]: ({ id, action }) => {
    const known = ACTIONS.find((one) => one === action);
    const button = plainText(id, 16);
    return known && button !== '' ? { kind: 'button', id: button, action: known } : undefined;
  },
  [EVENT.mute]: ({ on, source }) =>
    typeof on === 'boolean' ? { kind: 'mute', on, source: source === 'sw' ? 'sw' : 'hw' } : undefined,
  [EVENT.wake]: ({ word, score }) => {
    const text = plainText(word);
    return text === '' ? undefined : { kind: 'wake', word: text, score: isNumber(score) ? score : 1 };
  },
  [EVENT.encoder]: ({ delta }) => {
    if (!isNumber(delta)) return undefined;
    const steps = Math.max(-MAX_DELTA, Math.min(MAX_DELTA, Math.trunc(delta)));
    return steps === 0 ? undefined : { kind: 'encoder', delta: steps };
  },
  [EVENT.fault]: ({ code }) => {
    const text = plainText(code);
    return text === '' ? undefined : { kind: 'fault', code: text };
  },
};

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
