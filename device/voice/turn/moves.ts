import { type Caller, type Effect, IDLE, type Purpose, type Turn } from './words.ts';

/** The moves that the events of a turn are made of. */
export interface Step {
  readonly turn: Turn;
  readonly effects: readonly Effect[];
}

/** Opens a session for something, or uses the one that is open. The microphone is on before the cloud is there. */
export function begin(turn: Turn, purpose: Purpose, before: readonly Effect[] = []): Step {
  const started: Turn = { ...turn, typed: purpose.kind === 'say', interrupted: false };
  if (turn.online) {
    const next = purpose.kind === 'say' ? ask(started, purpose.text) : listen(started, purpose.caller);
    return { turn: next.turn, effects: [...before, ...next.effects] };
  }
  const record: Effect[] = purpose.kind === 'talk' ? [{ do: 'record' }] : [];
  return {
    turn: { ...started, phase: { at: 'connecting', purpose } },
    effects: [...before, ...record, { do: 'dial' }],
  };
}

export function listen(turn: Turn, caller?: Caller): Step {
  const detect: Effect[] =
    caller?.by === 'wake'
      ? [{ do: 'send', message: { type: 'listen', state: 'detect', text: caller.word } }]
      : [];
  return {
    turn: { ...turn, phase: { at: 'listening' } },
    effects: [
      { do: 'record' },
      ...detect,
      { do: 'send', message: { type: 'listen', state: 'start', mode: turn.mode } },
      { do: 'announced' },
    ],
  };
}

export function ask(turn: Turn, text: string): Step {
  return {
    turn: { ...turn, phase: { at: 'thinking' } },
    effects: [{ do: 'send', message: { type: 'listen', state: 'detect', text } }],
  };
}

export function afterAnswer(turn: Turn): Step {
  if (!turn.online) return { turn: { ...turn, phase: IDLE, typed: false }, effects: [] };
  if (turn.typed || turn.mode === 'manual' || turn.muted) return rest(turn);
  if (turn.mode === 'realtime') return hearOn(turn);
  return { turn: { ...turn, phase: { at: 'guard' } }, effects: [] };
}

/** In realtime the cloud has listened all along: told so again, it would forget a question that has begun. */
function hearOn(turn: Turn): Step {
  return {
    turn: { ...turn, phase: { at: 'listening' } },
    effects: [{ do: 'record' }, { do: 'announced' }],
  };
}

export function rest(turn: Turn, how?: 'hang up'): Step {
  const effects: Effect[] = [{ do: 'stop recording', keep: false }];
  if (how) effects.push({ do: 'hang up' });
  return {
    turn: { ...turn, phase: IDLE, online: turn.online && !how, typed: false, interrupted: false },
    effects,
  };
}

export function stay(turn: Turn): Step {
  return { turn, effects: [] };
}
