/**
 * Light: the states of the appliance that a person can see (user-experience notes 3). Each is a colour and a rhythm, so
 * that colour never stands alone.
 */
export type Light =
  | 'starting'
  | 'setup'
  | 'clock'
  | 'ready'
  | 'listening'
  | 'thinking'
  | 'speaking'
  | 'muted'
  | 'no-network'
  | 'key-refused'
  | 'fault'
  | 'updating'
  | 'rolled-back';

/** How a light moves; the times of each are the terminal's (PROTOCOL.md, `led`). */
type Rhythm =
  | 'off'
  | 'steady'
  | 'breathe'
  | 'pulse'
  | 'run'
  | 'blink1'
  | 'blink2'
  | 'blink3'
  | 'blink4'
  /** The colour given and orange in turn. */
  | 'alternate';

/** The payload of a `led` command: colours 0 to 255, `bright` 0 to 100. */
export interface Led {
  readonly mode: Rhythm;
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly bright: number;
}

/** A light as the terminal is to show it. `brightness` is 0 to 100. */
export function ledOf(light: Light, brightness: number): Led {
  const [mode, [r, g, b]] = LIGHTS[light];
  return { mode, r, g, b, bright: mode === 'off' ? 0 : brightness };
}

type Colour = readonly [r: number, g: number, b: number];

const WHITE: Colour = [255, 255, 255];
const WARM: Colour = [255, 180, 100];
const BLUE: Colour = [0, 60, 255];
const TEAL: Colour = [0, 200, 140];
const RED: Colour = [255, 0, 0];
const ORANGE: Colour = [255, 110, 0];
const PURPLE: Colour = [150, 0, 255];

const LIGHTS: Readonly<Record<Light, readonly [Rhythm, Colour]>> = {
  starting: ['breathe', WHITE],
  setup: ['blink2', WARM],
  clock: ['blink1', WHITE],
  ready: ['off', [0, 0, 0]],
  listening: ['steady', BLUE],
  thinking: ['run', BLUE],
  speaking: ['pulse', TEAL],
  muted: ['steady', RED],
  'no-network': ['blink2', ORANGE],
  'key-refused': ['blink3', ORANGE],
  fault: ['blink4', RED],
  updating: ['pulse', PURPLE],
  'rolled-back': ['alternate', PURPLE],
};
