import { DEFAULTS, type Settings } from './defaults.ts';
import { endpointSlip, webSlip } from './endpoint.ts';
import type { Problem } from './problem.ts';
import type { Secret } from './secrets.ts';
import { isProblem, readTextFile, type TextFile } from './text-file.ts';
import type { TomlText } from './toml-text.ts';

type Report = (
  code: Problem['code'],
  severity: Problem['severity'],
  path: readonly [table: string, key: string],
  detail: string,
) => void;

/**
 * What a schema cannot see: whether addresses are some, who can read them, whether files are there, and what one table
 * asks of another. Returns the settings without what is wrong.
 */
export function checkBeyondSchema(
  settings: Settings,
  file: TextFile,
  toml: TomlText,
  problems: Problem[],
): Settings {
  const report: Report = (code, severity, path, detail) => {
    const place = toml.locate(path, 'value');
    problems.push({ code, severity, file: file.name, ...place, path: path.join('.'), detail });
  };
  checkCertificate(settings.endpoint.caFile, 'endpoint', report);
  checkCertificate(settings.voice.caFile, 'voice', report);
  checkMode(settings, file.mode, report);
  checkPort(settings.terminal.port, report);
  return { ...settings, endpoint: checkEndpoint(settings, report), voice: checkVoice(settings, report) };
}

function checkEndpoint({ endpoint }: Settings, report: Report): Settings['endpoint'] {
  const slip = endpoint.url && endpointSlip(endpoint.url.reveal());
  if (slip === undefined) return endpoint;
  report('ENDPOINT_INVALID', 'error', ['endpoint', 'url'], slip);
  return { ...endpoint, url: undefined };
}

/** What goes into a header of HTTP (RFC 9110, 5.5) as it is. */
const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

function checkVoice({ voice, audio }: Settings, report: Report): Settings['voice'] {
  const sound = { ...voice };
  const refuse = (key: string, slip: string) => report('CONFIG_INVALID', 'error', ['voice', key], slip);
  const url = voice.url && endpointSlip(voice.url.reveal());
  if (url !== undefined) {
    refuse('url', url);
    sound.url = undefined;
  }
  const activation = voice.activationUrl === '' ? undefined : webSlip(voice.activationUrl);
  if (activation !== undefined) {
    refuse('activation_url', activation);
    sound.activationUrl = '';
  }
  if (voice.token && !HEADER_TEXT.test(voice.token.reveal())) {
    refuse('token', 'expected plain letters, digits and signs, got others or blanks around them');
    sound.token = undefined;
  }
  if (voice.mode === 'realtime' && !audio.echoCancelled) {
    refuse(
      'mode',
      'expected audio.echo_cancelled = true beside "realtime", got audio.echo_cancelled = false',
    );
    sound.mode = DEFAULTS.voice.mode;
  }
  return sound;
}

/** One warning a file, at the first of its keys: one chmod helps them all. */
function checkMode({ endpoint, voice }: Settings, mode: number, report: Report): void {
  if ((mode & 0o077) === 0) return;
  const keys: [table: string, key: string, value: Secret | undefined][] = [
    ['endpoint', 'url', endpoint.url],
    ['voice', 'url', voice.url],
    ['voice', 'token', voice.token],
  ];
  const found = keys.find(([, , value]) => value !== undefined);
  if (!found) return;
  const [table, key] = found;
  report('CONFIG_OPEN', 'warning', [table, key], `expected mode 600, got ${mode.toString(8)}`);
}

/** The number in such a name is given by the order of plugging in, so that it may be another device tomorrow. */
function checkPort(port: string, report: Report): void {
  if (!/^\/dev\/tty(USB|ACM)\d+$/.test(port)) return;
  const detail = `expected the name below /dev/serial/by-id, which stays with the device, got ${port}`;
  report('CONFIG_INVALID', 'warning', ['terminal', 'port'], detail);
}

function checkCertificate(path: string, table: 'endpoint' | 'voice', report: Report): void {
  const slip = path === '' ? undefined : certificateSlip(path);
  if (slip !== undefined) report('CONFIG_INVALID', 'error', [table, 'ca_file'], slip);
}

function certificateSlip(path: string): string | undefined {
  const file = readTextFile(path);
  if (isProblem(file)) return `expected a PEM file that can be read: ${file.detail}`;
  return file.text.includes('-----BEGIN CERTIFICATE-----')
    ? undefined
    : 'expected a PEM file with a certificate, got other text';
}
