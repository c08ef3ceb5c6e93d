import type { Action } from './message.ts';
import type { TerminalEvent } from './terminal.ts';

/** In ms; the settings debounce_ms, double_ms and long_ms of the terminal. */
export interface ButtonTiming {
  readonly debounceMs: number;
  readonly doubleMs: number;
  readonly longMs: number;
}

/**
 * One button between two gestures. `down`, `count`: the edge that counts and the presses so far. `raw`: the level last
 * told, which differs from `down` while edges bounce. `spent`: the gesture was told, and what follows at once is part of it.
 */
export interface Button {
  readonly down: boolean;
  readonly raw: boolean;
  readonly count: number;
  readonly spent: boolean;
  /** When `down` last changed. */
  readonly at: number;
}

export const RESTING: Button = {
  down: false,
  raw: false,
  count: 0,
  spent: false,
  at: Number.NEGATIVE_INFINITY,
};

export interface Step {
  readonly button: Button;
  readonly events: readonly TerminalEvent[];
  /** When `passed` is to be asked next; nothing where time changes nothing. */
  readonly wakeAt: number | undefined;
}

/** An edge as the terminal told it. */
export function edge(id: string, before: Button, isDown: boolean, at: number, timing: ButtonTiming): Step {
  return passed(id, { ...before, raw: isDown }, at, timing);
}

/** What the time alone has come to by `at`: a bounce that settled, a long press, the end of a row of presses. */
export function passed(id: string, before: Button, at: number, timing: ButtonTiming): Step {
  const { debounceMs, doubleMs, longMs } = timing;
  const events: TerminalEvent[] = [];
  let button = before;
  const sinceMs = at - button.at;
  if (!button.down && button.count > 0 && sinceMs >= doubleMs) {
    if (!button.spent) events.push(gesture(id, button.count, at));
    button = { ...button, count: 0, spent: false };
  }
  if (button.down && !button.spent && sinceMs >= longMs) {
    events.push(gesture(id, button.count, at, true));
    button = { ...button, spent: true };
  }
  if (button.raw !== button.down && sinceMs >= debounceMs) {
    button = button.raw ? pressed(id, button, at, events) : released(id, button, at, events);
  }
  return { button, events, wakeAt: wakeOf(button, timing) };
}

/** The first press begins something, the second takes it back, the third ends the row: no more can follow. */
function pressed(id: string, before: Button, at: number, events: TerminalEvent[]): Button {
  const count = before.spent ? before.count : before.count + 1;
  if (!before.spent && count === 1) events.push({ kind: 'press', button: id, at });
  if (!before.spent && count === 2) events.push({ kind: 'withdraw', button: id, at });
  if (!before.spent && count === 3) events.push(gesture(id, count, at));
  return { ...before, down: true, count, spent: before.spent || count === 3, at };
}

/** After a long press the next one is a new one; after a third, what follows at once still belongs to it and is not told. */
function released(id: string, before: Button, at: number, events: TerminalEvent[]): Button {
  const isTold = before.spent && before.count === 3;
  if (!isTold) events.push({ kind: 'release', button: id, at, heldMs: at - before.at });
  const rest = before.spent && !isTold ? { count: 0, spent: false } : {};
  return { ...before, ...rest, down: false, at };
}

function gesture(button: string, count: number, at: number, isHeld = false): TerminalEvent {
  const once = isHeld ? 'long' : 'click';
  return { kind: 'gesture', button, gesture: count === 1 ? once : count === 2 ? 'double' : 'triple', at };
}

function wakeOf(button: Button, { debounceMs, doubleMs, longMs }: ButtonTiming): number | undefined {
  if (button.raw !== button.down) return button.at + debounceMs;
  if (button.down) return button.spent ? undefined : button.at + longMs;
  return button.count > 0 ? button.at + doubleMs : undefined;
}

/** The same for a terminal that tells its gestures itself (PROTOCOL.md, `gestures`): they are believed, and edges only start and take back. */
export function believed(id: string, before: Button, action: Action, at: number, timing: ButtonTiming): Step {
  const events: TerminalEvent[] = [];
  let button = before;
  if (action === 'press' && !button.down) {
    const isFollowing = button.count > 0 && at - button.at < timing.doubleMs;
    const count = isFollowing ? button.count + 1 : 1;
    if (count === 1) events.push({ kind: 'press', button: id, at });
    if (count === 2) events.push({ kind: 'withdraw', button: id, at });
    button = { ...button, down: true, raw: true, count, at };
  } else if (action === 'release' && button.down) {
    events.push({ kind: 'release', button: id, at, heldMs: at - button.at });
    button = { ...button, down: false, raw: false, at };
  } else if (action !== 'press' && action !== 'release') {
    events.push({ kind: 'gesture', button: id, gesture: action, at });
    button = { ...button, count: 0 };
  }
  return { button, events, wakeAt: undefined };
}
