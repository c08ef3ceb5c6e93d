import type { Code } from '#kernel/codes.ts';
import { afterAnswer, ask, begin, listen, rest, type Step, stay } from './moves.ts';
import type { Caller, Effect, Turn, TurnEvent } from './words.ts';

const DEAFEN: Effect = { do: 'stop recording', keep: false };

/**
 * The turn as a pure state machine (cloud protocol 2.7): what an event makes of it, and what has to be done. An event that
 * means nothing in its phase changes nothing. INVARIANT: whatever fails leads to idle, and what was said is played to its
 * last word unless somebody interrupts.
 */
export function step(turn: Turn, event: TurnEvent): Step {
  switch (event.type) {
    case 'called':
      return called(turn, event.caller);
    case 'withdrawn':
      return turn.phase.at === 'listening' || isTalk(turn) ? rest(turn, 'hang up') : stay(turn);
    case 'finished':
      return finished(turn);
    case 'stopped':
      return stopped(turn);
    case 'typed':
      return typed(turn, event.text);
    case 'deaf':
      return deaf(turn);
    case 'opened':
      return opened(turn);
    case 'closed':
      return closed(turn, event.code);
    case 'recognised':
      return recognised(turn);
    case 'answer started':
      return answerStarted(turn);
    case 'answer over':
      return answerOver(turn);
    case 'played':
      return played(turn);
    case 'muted':
      return muted(turn, event.on);
    case 'late':
      return late(turn);
  }
}

function called(turn: Turn, caller: Caller): Step {
  const { phase } = turn;
  const isWake = caller.by === 'wake';
  switch (phase.at) {
    case 'idle':
      // Whoever refuses may take a mute back: a hand can ask for that, and no word.
      if (turn.muted) return isWake ? stay(turn) : { turn, effects: [{ do: 'refuse muted' }] };
      return begin(turn, { kind: 'talk', caller });
    case 'connecting':
      return isWake ? stay(turn) : rest(turn, 'hang up');
    case 'listening':
    case 'guard':
      if (isWake) return listenAgain(turn, caller);
      return rest(turn, 'hang up');
    case 'thinking':
    case 'speaking':
      if (turn.muted) return stopped(turn);
      return listenAgain(turn, caller);
  }
}

/** Interrupts what goes on and listens: the speaker first, then the cloud, then the microphone. */
function listenAgain(turn: Turn, caller: Caller): Step {
  if (!turn.online) return begin(turn, { kind: 'talk', caller }, [{ do: 'silence' }]);
  const reason = caller.by === 'wake' ? { reason: 'wake_word_detected' as const } : {};
  const isAnswering = turn.phase.at === 'speaking' || turn.phase.at === 'thinking';
  const next = listen({ ...turn, typed: false, interrupted: isAnswering }, caller);
  return {
    turn: next.turn,
    effects: [{ do: 'silence' }, { do: 'send', message: { type: 'abort', ...reason } }, ...next.effects],
  };
}

/** Whoever speaks now speaks to nobody, and has to know. What is said without a microphone goes on. */
function deaf(turn: Turn): Step {
  if (turn.phase.at !== 'listening' && !isTalk(turn)) return stay(turn);
  const next = rest(turn, 'hang up');
  return { turn: next.turn, effects: [...next.effects, { do: 'fail', code: 'AUDIO_STALLED' }] };
}

function opened(turn: Turn): Step {
  const online = { ...turn, online: true };
  if (turn.phase.at !== 'connecting') return stay(online);
  const { purpose } = turn.phase;
  if (purpose.kind === 'say') return ask(online, purpose.text);
  const listening = listen(online, purpose.caller);
  if (!purpose.over) return listening;
  const next = finished(listening.turn);
  const effects = listening.effects.filter((effect) => effect.do !== 'record');
  return { turn: next.turn, effects: [...effects, ...next.effects] };
}

function typed(turn: Turn, text: string): Step {
  return turn.phase.at === 'idle' ? begin(turn, { kind: 'say', text }) : stay(turn);
}

function finished(turn: Turn): Step {
  const { phase } = turn;
  if (phase.at === 'connecting' && phase.purpose.kind === 'talk' && turn.mode !== 'realtime') {
    const purpose = { ...phase.purpose, over: true };
    return {
      turn: { ...turn, phase: { at: 'connecting', purpose } },
      effects: [{ do: 'stop recording', keep: true }],
    };
  }
  if (phase.at !== 'listening' || turn.mode === 'realtime') return stay(turn);
  return {
    turn: { ...turn, phase: { at: 'thinking' } },
    effects: [
      { do: 'stop recording', keep: true },
      { do: 'send', message: { type: 'listen', state: 'stop' } },
    ],
  };
}

function recognised(turn: Turn): Step {
  const heard = { ...turn, interrupted: false };
  if (turn.phase.at !== 'listening' || turn.mode === 'realtime') return stay(heard);
  return { turn: { ...heard, phase: { at: 'thinking' } }, effects: [DEAFEN] };
}

function answerStarted(turn: Turn): Step {
  const { phase } = turn;
  // What was interrupted goes on for as long as it takes the cloud to hear of it.
  if (turn.interrupted || phase.at === 'connecting') return stay(turn);
  const effects: Effect[] = turn.mode === 'realtime' ? [] : [DEAFEN];
  // What the cloud says of itself is nobody's question: nobody waits to be heard after it.
  const typed = turn.typed || phase.at === 'idle';
  return {
    turn: { ...turn, typed, phase: { at: 'speaking', over: false } },
    effects: [...effects, { do: 'play' }],
  };
}

function answerOver(turn: Turn): Step {
  const told = { ...turn, interrupted: false };
  if (turn.phase.at === 'speaking') {
    return { turn: { ...told, phase: { at: 'speaking', over: true } }, effects: [{ do: 'play out' }] };
  }
  // An answer without a sound: nothing was understood, or it was all done by a tool.
  return turn.phase.at === 'thinking' && !turn.interrupted ? afterAnswer(told) : stay(told);
}

function played(turn: Turn): Step {
  if (turn.phase.at !== 'speaking') return stay(turn);
  // Sound that cannot be played: the rest of the answer comes all the same and has to be let pass.
  return turn.phase.over ? afterAnswer(turn) : stay(turn);
}

function muted(turn: Turn, on: boolean): Step {
  const changed = { ...turn, muted: on };
  const isHearing = turn.phase.at === 'listening' || turn.phase.at === 'guard' || isTalk(turn);
  if (on && isHearing) return rest(changed, 'hang up');
  return on ? { turn: changed, effects: [DEAFEN] } : stay(changed);
}

function isTalk({ phase }: Turn): boolean {
  return phase.at === 'connecting' && phase.purpose.kind === 'talk';
}

function stopped(turn: Turn): Step {
  if (turn.phase.at === 'idle') return turn.online ? rest(turn, 'hang up') : stay(turn);
  const isAnswering = turn.phase.at === 'speaking' || turn.phase.at === 'thinking';
  const abort: Effect[] = isAnswering && turn.online ? [{ do: 'send', message: { type: 'abort' } }] : [];
  const next = rest(turn, 'hang up');
  return { turn: next.turn, effects: [{ do: 'silence' }, ...abort, ...next.effects] };
}

/** The session is gone. What the cloud has already said is still played; everything else is over, and nobody listens. */
function closed(turn: Turn, code: Code | undefined): Step {
  const offline = { ...turn, online: false };
  const failure: Effect[] = code === undefined ? [] : [{ do: 'fail', code }];
  switch (turn.phase.at) {
    case 'idle':
      return { turn: offline, effects: [] };
    case 'speaking':
      if (turn.phase.over) return { turn: offline, effects: [DEAFEN] };
      return {
        turn: { ...offline, phase: { at: 'speaking', over: true } },
        effects: [DEAFEN, { do: 'play out' }, ...failure],
      };
    case 'connecting':
    case 'listening':
    case 'thinking':
    case 'guard': {
      const next = rest(offline);
      return { turn: next.turn, effects: [...next.effects, ...failure] };
    }
  }
}

/** No phase lasts for ever. */
function late(turn: Turn): Step {
  switch (turn.phase.at) {
    case 'idle':
      return turn.online ? rest(turn, 'hang up') : stay(turn);
    case 'guard':
      return listen(turn);
    case 'listening':
      return rest(turn, 'hang up');
    case 'connecting':
    case 'thinking': {
      const next = rest(turn, 'hang up');
      return { turn: next.turn, effects: [...next.effects, { do: 'fail', code: 'VOICE_SILENT' }] };
    }
    case 'speaking': {
      // The cloud has forgotten to say that it is done, or the speaker does not come to an end.
      if (turn.phase.over) return silenced(turn);
      const abort: Effect[] = turn.online ? [{ do: 'send', message: { type: 'abort' } }] : [];
      return {
        turn: { ...turn, phase: { at: 'speaking', over: true }, interrupted: turn.online },
        effects: [...abort, { do: 'play out' }],
      };
    }
  }
}

function silenced(turn: Turn): Step {
  const next = afterAnswer(turn);
  return { turn: next.turn, effects: [{ do: 'silence' }, ...next.effects] };
}
