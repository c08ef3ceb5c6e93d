import { stringify } from 'smol-toml';
import { TERMINAL } from './machine.ts';

/** What somebody fills in on the boot partition before the first start. */
export interface Wishes {
  readonly name: string;
  readonly sshKey: string;
  readonly endpoint: string;
  readonly voice: { readonly url: string; readonly token: string };
  readonly wifi: { readonly ssid: string; readonly password: string };
}

/** The microphone records what the test plays to `SAYS`; what the speaker plays the test records from `HEARS`. */
const MICROPHONE = 'plughw:Loopback,1,0';
const SPEAKER = 'plughw:Loopback,0,1';
export const SAYS = 'plughw:Loopback,0,0';
export const HEARS = 'plughw:Loopback,1,1';

/** `aivoice.toml` as an owner writes it, with the machine's sound card and terminal. */
export function provisioningFile({ name, sshKey, endpoint, voice, wifi }: Wishes): string {
  return stringify({
    name,
    language: 'ja',
    time_zone: 'Asia/Tokyo',
    endpoint,
    ssh_key: sshKey,
    wifi: { ...wifi, country: 'JP' },
    voice: { ...voice },
    audio: { microphone: MICROPHONE, speaker: SPEAKER },
    terminal: { port: TERMINAL },
  });
}
