import { resolve } from 'node:path';
import type { Node } from 'jsonc-parser';
import { readAsyncSettings } from './async-settings.ts';
import { certificateSlip, HEADER_TEXT } from './beyond-schema.ts';
import { type EntrySource, EntryValues } from './entry-values.ts';
import type { BuiltinServers, ServerSettings } from './server-settings.ts';
import { readToolSettings } from './tool-settings.ts';

export interface EntrySurroundings extends EntrySource {
  /** Folder of the file: a relative `cwd` starts there. */
  readonly folder: string;
  readonly builtins: BuiltinServers;
}

const TYPES: Readonly<Record<string, ServerSettings['type']>> = {
  stdio: 'stdio',
  sse: 'sse',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
};

/** Reads one entry of `mcpServers`. A bad one is kept with its `fault`, so that the others run and status shows it. */
export function readEntry(name: string, node: Node, around: EntrySurroundings): ServerSettings {
  const values = new EntryValues(name, node, around);
  if (!isServerName(name))
    values.report('CONFIG_INVALID', 'error', node, '', 'expected a name of 1 to 64 printable characters');
  const command = values.text('command');
  const url = values.text('url');
  const cwd = values.text('cwd');
  const headers = values.texts('headers');
  const ca = values.text('caFile');
  const caFile = ca === undefined ? undefined : resolve(around.folder, ca);
  const tools = readToolSettings(values);
  const async = readAsyncSettings(values);
  const own = command === undefined && url === undefined ? around.builtins.program(name) : undefined;
  const args = [...(own?.args ?? []), ...values.list('args')];
  const env = values.texts('env') ?? {};
  const type = typeOf(values, url !== undefined && command === undefined);
  if (type === 'stdio' && own === undefined && !values.has('command') && !values.disabled) {
    values.reportAt('command', 'CONFIG_INVALID', 'error', 'expected text, got nothing');
  }
  if (type !== 'stdio' && !values.disabled) checkRemote(values, { url, headers, caFile });
  return {
    name,
    type,
    command: command ?? own?.command ?? '',
    args,
    env,
    ...(cwd === undefined ? {} : { cwd: resolve(around.folder, cwd) }),
    ...(url === undefined ? {} : { url }),
    ...(headers === undefined ? {} : { headers }),
    ...(caFile === undefined ? {} : { caFile }),
    ...(tools === undefined ? {} : { tools }),
    ...(async === undefined ? {} : { async }),
    disabled: values.disabled,
    builtin: around.builtins.owns(args),
    ...(values.fault === undefined ? {} : { fault: values.fault }),
  };
}

function typeOf(values: EntryValues, remote: boolean): ServerSettings['type'] {
  const given = values.text('type');
  const usual = remote ? 'http' : 'stdio';
  if (given === undefined) return usual;
  const type = Object.hasOwn(TYPES, given) ? TYPES[given] : undefined;
  if (type !== undefined) return type;
  values.reportAt(
    'type',
    'CONFIG_INVALID',
    'error',
    `expected "stdio" or "sse" or "http", got ${/^[a-z][a-z_-]{0,23}$/.test(given) ? `"${given}"` : 'other text'}`,
  );
  return usual;
}

function checkRemote(values: EntryValues, { url, headers = {}, caFile }: Remote): void {
  if (url === undefined ? !values.has('url') : !isWebAddress(url)) {
    // An address may hold a key, so it is not repeated.
    const got = url === undefined ? 'nothing' : 'other text';
    values.reportAt('url', 'CONFIG_INVALID', 'error', `expected an http:// or https:// address, got ${got}`);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (HEADER_NAME.test(name) && HEADER_TEXT.test(value)) continue;
    values.reportAt(
      'headers',
      'CONFIG_INVALID',
      'error',
      'expected names and texts that fit into HTTP headers',
    );
    break;
  }
  const slip = caFile === undefined ? undefined : certificateSlip(caFile);
  if (slip !== undefined) values.reportAt('caFile', 'CONFIG_INVALID', 'error', slip);
}

interface Remote {
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly caFile: string | undefined;
}

/** A name of a header is a token (RFC 9110, 5.1). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

function isServerName(name: string): boolean {
  return /^[^\p{Cc}]{1,64}$/u.test(name) && name.trim() === name;
}
