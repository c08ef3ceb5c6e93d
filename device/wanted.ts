import type { Settings } from './config/defaults.ts';

/** The settings ask for a voice: somewhere to speak to. */
export function hasVoice({ voice }: Settings): boolean {
  return voice.url !== undefined || voice.activationUrl !== '';
}

/** A person can speak to the appliance, or see it. */
export function isWanted(settings: Settings): boolean {
  return hasVoice(settings) || settings.terminal.port !== '';
}
