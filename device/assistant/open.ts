import { Fault } from '#kernel/fault.ts';
import type { Settings } from '../config/defaults.ts';
import { findPlaces } from '../config/places.ts';
import type { Declaration, Kit } from '../services.ts';
import { hasVoice } from '../wanted.ts';
import { Assistant, type AssistantOptions } from './assistant.ts';
import { declareAssistant } from './declare.ts';
import { soundEnvironment } from './sound-environment.ts';
import { spokenLanguage } from './spoken-language.ts';

/** What the appliance has of its assistant. Loaded only where there is a voice or a terminal. */
export interface Assistance extends AsyncDisposable {
  declare(settings: Settings): readonly Declaration[];
  /** The state of some part has changed. */
  look(): void;
  say: Assistant['voice']['say'];
  /** What went wrong with sound and with what the cloud says, for the status document. */
  counters(): Readonly<Record<string, number>>;
}

export async function openAssistant(
  settings: Settings,
  kit: Kit,
  facts: Pick<AssistantOptions, 'parts' | 'release'>,
): Promise<Assistance> {
  const assistant = await Assistant.open({
    ...{ settings, ...facts, clock: kit.clock, random: kit.random, log: kit.log },
    folder: findPlaces(kit.environment).state,
    soundEnv: soundEnvironment(kit.environment),
    language: (now) => spokenLanguage(now, kit.environment),
  });
  return {
    declare(next) {
      assistant.configure(next);
      return declareAssistant(assistant, next, kit);
    },
    look: () => assistant.look(),
    async say(text, onSentence, signal) {
      // Also after a reload has taken it away.
      if (!hasVoice(assistant.settings)) throw new Fault('VOICE_OFF', 'voice is not set up');
      return await assistant.voice.say(text, onSentence, signal);
    },
    counters: () => ({
      sound_lost: assistant.voice.lost,
      sound_dropped: assistant.speaker.dropped,
      sound_underruns: assistant.speaker.underruns,
      voice_unread: Object.values(assistant.voice.counters).reduce((sum, count) => sum + count, 0),
    }),
    [Symbol.asyncDispose]: () => assistant[Symbol.asyncDispose](),
  };
}
