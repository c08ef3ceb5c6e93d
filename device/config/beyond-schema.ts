import { DEFAULTS, type Settings } from './defaults.ts';
import { clearTextSlip, endpointSlip, webSlip } from './endpoint.ts';
import type { Problem } from './problem.ts';
import type { Secret } from './secrets.ts';
import { isProblem, readTextFile, type TextFile } from './text-file.ts';
import type { TomlText } from './toml-text.ts';
import { wakeWordSlips } from './wake-word.ts';

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
  checkCertificate(settings.servers.caFile, 'servers', report);
  checkCertificate(settings.voice.caFile, 'voice', report);
  checkMode(settings, file, report);
  checkPort(settings.terminal.port, report);
  for (const [key, slip] of wakeWordSlips(settings.audio))
    report('CONFIG_INVALID', 'warning', ['audio', key], slip);
  const sound = {
    ...settings,
    endpoint: checkEndpoint(settings, report),
    voice: checkVoice(settings, report),
  };
  warnOfClearText(sound, report);
  return sound;
}

function checkEndpoint({ endpoint }: Settings, report: Report): Settings['endpoint'] {
  const slip = endpoint.url && endpointSlip(endpoint.url.reveal());
  if (slip === undefined) return endpoint;
  report('ENDPOINT_INVALID', 'error', ['endpoint', 'url'], slip);
  return { ...endpoint, url: undefined };
}

/** What goes into a header of HTTP (RFC 9110, 5.5) as it is. */
export const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

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
  if (voice.token && !voice.url) {
    const slip = 'expected voice.url beside it; without it this token is not used';
    report('CONFIG_INVALID', 'warning', ['voice', 'token'], slip);
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

function warnOfClearText({ endpoint, voice }: Settings, report: Report): void {
  const addresses: [table: string, key: string, address: string][] = [
    ['endpoint', 'url', endpoint.url?.reveal() ?? ''],
    ['voice', 'url', voice.url?.reveal() ?? ''],
    ['voice', 'activation_url', voice.activationUrl],
  ];
  for (const [table, key, address] of addresses) {
    const slip = address === '' ? undefined : clearTextSlip(address);
    if (slip !== undefined) report('CONFIG_INVALID', 'warning', [table, key], slip);
  }
}

/** One warning a file, at the first of its keys: one chmod helps them all. */
function checkMode({ endpoint, voice }: Settings, { name, mode }: TextFile, report: Report): void {
  if ((mode & 0o077) === 0) return;
  const keys: [table: string, key: string, value: Secret | undefined][] = [
    ['endpoint', 'url', endpoint.url],
    ['voice', 'token', voice.token],
    ['voice', 'url', voice.url],
  ];
  const found = keys.find(([, , value]) => value !== undefined);
  if (!found) return;
  const [table, key] = found;
  const slip = `this file: mode ${mode.toString(8)}, expected 600 (chmod 600 ${name})`;
  report('CONFIG_OPEN', 'warning', [table, key], slip);
}

/** The number in such a name is given by the order of plugging in, so that it may be another device tomorrow. */
function checkPort(port: string, report: Report): void {
  if (!/^\/dev\/tty(USB|ACM)\d+$/.test(port)) return;
  const detail = `expected a name below /dev/serial/by-id/, got ${port}`;
  report('CONFIG_PORT_NAME', 'warning', ['terminal', 'port'], detail);
}

function checkCertificate(path: string, table: 'endpoint' | 'servers' | 'voice', report: Report): void {
  const slip = path === '' ? undefined : certificateSlip(path);
  if (slip !== undefined) report('CONFIG_INVALID', 'error', [table, 'ca_file'], slip);
}

/** What is wrong with a PEM file of certificates, or nothing. */
export function certificateSlip(path: string): string | undefined {
  const file = readTextFile(path);
  if (isProblem(file)) return `expected a PEM file that can be read: ${file.detail}`;
  return file.text.includes('-----BEGIN CERTIFICATE-----')
    ? undefined
    : 'expected a PEM file with a certificate, got other text';
}
