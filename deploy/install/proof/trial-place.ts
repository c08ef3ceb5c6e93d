import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { User } from '../store/service-user.ts';

/** What an appliance with a voice loads as well. ALSA's `null` swallows every sound, and nothing listens at port 9. */
const VOICE = `[voice]
url = "ws://127.0.0.1:9/"
token = "none"
[audio]
microphone = "null"
speaker = "null"
sounds = false
`;

export interface PlaceOptions {
  /** Where the service keeps compiled code: what the trial compiles is to be found there. */
  readonly cache: string;
  /** The appliance has a voice. */
  readonly speaks: boolean;
  /** To whom it all belongs; absent where that cannot be changed. */
  readonly user: User | undefined;
}

/**
 * Makes what an appliance on trial has instead of the places of the unit, in a folder of its own: settings, state, control
 * socket, home. Returns the whole environment in which it runs.
 */
export function makePlace(folder: string, { cache, speaks, user }: PlaceOptions) {
  const own = (path: string) => user && chownSync(path, user.uid, user.gid);
  const make = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    own(path);
    return path;
  };
  chmodSync(folder, 0o755);
  if (mkdirSync(cache, { recursive: true, mode: 0o755 })) own(cache);
  writeSettings(folder, speaks ? VOICE : '', user);
  return {
    PATH: '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: make('home'),
    TMPDIR: make('tmp'),
    RUNTIME_DIRECTORY: make('run'),
    STATE_DIRECTORY: make('state'),
    CACHE_DIRECTORY: cache,
  };
}

function writeSettings(folder: string, voice: string, user: User | undefined): void {
  for (const [name, text] of [
    ['appliance.toml', `language = "en"\n${voice}`],
    ['mcp_settings.json', '{"mcpServers":{}}'],
  ] as const) {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (user) chownSync(path, user.uid, user.gid);
  }
}
