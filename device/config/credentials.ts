import { isAbsolute, join } from 'node:path';
import { HEADER_TEXT } from './beyond-schema.ts';
import type { Settings } from './defaults.ts';
import { clearTextSlip, endpointSlip } from './endpoint.ts';
import type { Environment } from './environment.ts';
import type { Problem } from './problem.ts';
import { Secret } from './secrets.ts';
import { isProblem, readTextFile } from './text-file.ts';

/** One thing out of the credentials, or why it is none; neither where it was not handed over. */
interface Handed {
  readonly secret?: Secret;
  readonly problems: readonly Problem[];
}

/** What systemd hands over by `LoadCredential=`: `endpoint` in CREDENTIALS_DIRECTORY, the address of the tool endpoint. */
export function handedEndpoint(environment: Environment): Handed {
  return handed(environment, 'endpoint', (address) => {
    const slip = endpointSlip(address);
    if (slip !== undefined) return { code: 'ENDPOINT_INVALID', severity: 'error', detail: slip };
    const detail = clearTextSlip(address);
    return detail === undefined ? undefined : { code: 'CONFIG_INVALID', severity: 'warning', detail };
  });
}

/** The settings with `voice-token` of the credentials, where appliance.toml names no token. */
export function withHandedToken(
  settings: Settings,
  environment: Environment,
): { settings: Settings; problems: readonly Problem[] } {
  if (settings.voice.token) return { settings, problems: [] };
  const { secret, problems } = handed(environment, 'voice-token', (token) => {
    const detail = 'expected plain letters, digits and signs, got others or blanks around them';
    return HEADER_TEXT.test(token) ? undefined : { code: 'CONFIG_INVALID', severity: 'error', detail };
  });
  return {
    settings: secret ? { ...settings, voice: { ...settings.voice, token: secret } } : settings,
    problems,
  };
}

type Slip = Pick<Problem, 'code' | 'severity' | 'detail'>;

function handed(
  { variables }: Environment,
  name: string,
  check: (value: string) => Slip | undefined,
): Handed {
  const folder = variables.CREDENTIALS_DIRECTORY;
  if (!folder || !isAbsolute(folder)) return { problems: [] };
  const file = `$CREDENTIALS_DIRECTORY/${name}`;
  const read = readTextFile(join(folder, name), file);
  if (isProblem(read)) {
    // Nothing was handed over, or something empty, which says the same.
    if (read.code === 'CONFIG_MISSING' || read.code === 'CONFIG_EMPTY') return { problems: [] };
    const { source: _, ...problem } = read; // its line is the key
    return { problems: [problem] };
  }
  const value = read.text.trim();
  const slip = check(value);
  const problems = slip === undefined ? [] : [{ file, ...slip }];
  return slip?.severity === 'error' ? { problems } : { secret: new Secret(value), problems };
}
