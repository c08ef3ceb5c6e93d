import * as z from 'zod';
import { DEFAULTS, type Settings } from './defaults.ts';
import { bounded, HOUR, ms, oneOf, table, text, whole } from './schema-kinds.ts';
import { audioTable, terminalTable, voiceTable } from './schema-voice.ts';
import { Secret } from './secrets.ts';

/**
 * The one schema of appliance.toml. Each key says: meaning; unit and range; default; where the figure comes from.
 * The message of each check is the phrase after "expected" in a problem. Defaults are those of defaults.ts.
 */

const { endpoint, bridge, servers, restart, files, tasks } = DEFAULTS;

const endpointTable = table(
  {
    /** Address of the tool endpoint, key included; ws:// or wss://. Default none: `run` then waits, ENDPOINT_MISSING. */
    url: text('text')
      .default('')
      .transform((url) => (url === '' ? undefined : new Secret(url))),
    /** PEM file of a private authority that signed the cloud's certificate, beside the usual ones. Default none. */
    ca_file: text('the path of a PEM file').default(endpoint.caFile),
    /** Time between two pings of ours; ms. Default 15,000: the cloud never pings on the WebSocket level (cloud protocol 1.1). */
    ping_ms: ms(10, HOUR, endpoint.pingMs),
    /** A line on which nothing arrived for so long is dead; ms, longer than ping_ms. Default 25,000. */
    dead_ms: ms(10, HOUR, endpoint.deadMs),
    /** Time for name, connection, TLS and upgrade together; ms. Default 10,000. */
    dial_timeout_ms: ms(10, HOUR, endpoint.dialTimeoutMs),
    /** A close handshake unfinished after this is cut; ms, to 60,000. Default 1,000: the next dial waits for it. */
    close_ms: ms(0, 60_000, endpoint.closeMs),
    /** Waits after a lost line: first bound of the jitter and last; ms. Defaults 1,000 and 60,000; the reference uses 1,000 and 600,000. */
    retry_first_ms: ms(10, HOUR, endpoint.retryFirstMs),
    retry_max_ms: ms(10, HOUR, endpoint.retryMaxMs),
    /** The same after close code 4004; ms, from 500. Defaults 1,000 and 60,000 (cloud protocol 1.8). */
    closed_first_ms: ms(500, HOUR, endpoint.closedFirstMs),
    closed_max_ms: ms(500, HOUR, endpoint.closedMaxMs),
    /** The same after close code 1000, another program on this endpoint; ms. Defaults 20,000 and 300,000: two must not fight. */
    replaced_first_ms: ms(10, HOUR, endpoint.replacedFirstMs),
    replaced_max_ms: ms(10, HOUR, endpoint.replacedMaxMs),
    /** Between two tries with a refused key: shortest and longest; ms. Defaults 300,000 and 900,000. */
    refused_min_ms: ms(10, HOUR, endpoint.refusedMinMs),
    refused_max_ms: ms(10, HOUR, endpoint.refusedMaxMs),
    /** Waits after TLS or clock trouble; ms. Defaults 10,000 and 300,000. */
    tls_first_ms: ms(10, HOUR, endpoint.tlsFirstMs),
    tls_max_ms: ms(10, HOUR, endpoint.tlsMaxMs),
  },
  ['ping_ms', 'dead_ms'],
  ['retry_first_ms', 'retry_max_ms'],
  ['closed_first_ms', 'closed_max_ms'],
  ['replaced_first_ms', 'replaced_max_ms'],
  ['refused_min_ms', 'refused_max_ms'],
  ['tls_first_ms', 'tls_max_ms'],
);

const bridgeTable = table({
  /** When a tool is called `server__tool` toward the cloud: only where two servers collide, or always. Default collide. */
  prefix: oneOf(['collide', 'always']).default(bridge.prefix),
  /** Largest result of a call; auto, off, or bytes of UTF-8 from 256. Default auto: 8,000 bytes where the real cloud (xz-mcp-broker) is at the other end, none elsewhere. */
  result_budget: budget().default(bridge.resultBudget),
  /** Deadline of a call; ms, to 290,000. Default 28,000: a self-hosted cloud waits 30 s, the other 300 s (cloud protocol 1.6). */
  call_timeout_ms: ms(10, 290_000, bridge.callTimeoutMs),
  /** How long a call waits for a server that is being restarted; ms, to 60,000. Default 2,000. */
  hold_ms: ms(0, 60_000, bridge.holdMs),
  /** How long tools/list waits for a server that starts for the first time; ms, to 60,000. Default 1,500. */
  list_wait_ms: ms(0, 60_000, bridge.listWaitMs),
  /** Quiet time after a change of tools before the line is renewed for it; ms, to 600,000. Default 3,000: the cloud reads tools only when a line is new. */
  change_debounce_ms: ms(0, 600_000, bridge.changeDebounceMs),
  /** One line for each server, as the reference does, instead of one for all. Default false. */
  per_server: z.boolean('true or false').default(bridge.perServer),
});

const serversTable = table({
  /** The mcp_settings.json to use, relative to this file. Default none: `$MCP_CONFIG`, ./mcp_settings.json, the one beside this file. */
  file: text('the path of an mcp_settings.json').default(servers.file),
  /** PEM file of a private authority for remote servers, beside the usual ones; an entry's own `caFile` stands above it. Default none. */
  ca_file: text('the path of a PEM file').default(servers.caFile),
  /**
   * Time for a server's handshake; ms. Default 15,000: npx may have to fetch it first. After a start that ran out of time
   * the next one has twice as much, up to a minute.
   */
  start_timeout_ms: ms(10, HOUR, servers.startTimeoutMs),
  /** Time between two MCP pings to a server, and for its answer; ms. Defaults 10,000 and 3,000. */
  ping_ms: ms(10, HOUR, servers.pingMs),
  ping_timeout_ms: ms(10, HOUR, servers.pingTimeoutMs),
  /** Pings in a row without an answer after which a server is replaced; 1 to 100. Default 2. */
  ping_misses: whole(1, 100, servers.pingMisses),
  /** Stopping a server: time after its stdin closes, then after SIGTERM, then SIGKILL; ms, to 60,000. Defaults 1,000 each. */
  stop_eof_ms: ms(0, 60_000, servers.stopEofMs),
  stop_term_ms: ms(0, 60_000, servers.stopTermMs),
});

const restartTable = table(
  {
    /** First and longest delay before a server is started again; ms. Defaults 1,000 and 60,000. */
    first_ms: ms(10, HOUR, restart.firstMs),
    max_ms: ms(10, HOUR, restart.maxMs),
    /** A run that served for so long was healthy: the next restart comes at once; ms. Default 10,000. */
    settle_ms: ms(0, HOUR, restart.settleMs),
    /** More deaths than this within window_ms mean failed; 1 to 1,000. Default 5. */
    max_restarts: whole(1, 1000, restart.maxRestarts),
    /** Default 60,000; ms. */
    window_ms: ms(10, HOUR, restart.windowMs),
  },
  ['first_ms', 'max_ms'],
);

const tasksTable = table({
  /** Has the voice cloud tell the room that a slow tool is done, unless somebody asked for its result meanwhile. Default false. */
  announce: z.boolean('true or false').default(tasks.announce),
});

const filesTable = table({
  /** The folder that the files server shows, relative to this file. Default none: `$MCP_FILE_ROOT`, else `files` in the state folder. */
  root: text('the path of a folder').default(files.root),
});

const schema = z.strictObject({
  /** Language of what people read: auto (the locale's, both where it is neither), ja, en. Default auto. */
  language: oneOf(['auto', 'ja', 'en']).default(DEFAULTS.language),
  /** Least important kind of log line that is written. Default info; `$LOG_LEVEL` stands above it. */
  log_level: oneOf(['error', 'warn', 'info', 'debug']).default(DEFAULTS.logLevel),
  /** Zone of get_time where none is asked for; an IANA name. Default Asia/Tokyo. */
  time_zone: text('a time zone such as "Asia/Tokyo"')
    .refine(isTimeZone, 'a time zone such as "Asia/Tokyo"')
    .default(DEFAULTS.timeZone),
  endpoint: endpointTable,
  bridge: bridgeTable,
  servers: serversTable,
  restart: restartTable,
  files: filesTable,
  tasks: tasksTable,
  voice: voiceTable,
  audio: audioTable,
  terminal: terminalTable,
});

/** One thing that the schema refuses: a key that it does not know, or a value and what was expected of it. */
export type Issue =
  | { readonly kind: 'key'; readonly path: readonly string[]; readonly known: readonly string[] }
  | {
      readonly kind: 'value';
      readonly path: readonly string[];
      readonly expected: string;
      /** The entry that this one does not fit, and the value that it has here: the file may hold only one of the two. */
      readonly against?: { readonly path: readonly string[]; readonly got: string };
    };

/** Reads what appliance.toml holds, once it is parsed: the settings with every default filled in, or all issues. */
export function parseSettings(raw: unknown): { settings: Settings } | { issues: Issue[] } {
  const result = schema.safeParse(raw);
  if (result.success) return { settings: inCamelCase(result.data) as Settings };
  return { issues: result.error.issues.flatMap(issuesOf) };
}

function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.map(String);
  if (issue.code === 'custom' && issue.params) {
    const against = { path: [...path.slice(0, -1), String(issue.params.low)], got: String(issue.params.got) };
    return [{ kind: 'value', path, expected: issue.message, against }];
  }
  if (issue.code !== 'unrecognized_keys') return [{ kind: 'value', path, expected: issue.message }];
  return issue.keys.map((key) => ({ kind: 'key', path: [...path, key], known: knownKeys(path) }));
}

function knownKeys(path: readonly string[]): string[] {
  const tables: Record<string, string[]> = {
    '': Object.keys(schema.shape),
    endpoint: Object.keys(endpointTable.unwrap().shape),
    bridge: Object.keys(bridgeTable.unwrap().shape),
    servers: Object.keys(serversTable.unwrap().shape),
    restart: Object.keys(restartTable.unwrap().shape),
    files: Object.keys(filesTable.unwrap().shape),
    tasks: Object.keys(tasksTable.unwrap().shape),
    voice: Object.keys(voiceTable.unwrap().shape),
    audio: Object.keys(audioTable.unwrap().shape),
    terminal: Object.keys(terminalTable.unwrap().shape),
  };
  return tables[path.join('.')] ?? [];
}

function budget() {
  const expected = '"auto" or "off" or a whole number of bytes from 256';
  return z.union([z.enum(['auto', 'off']), bounded(256, Number.MAX_SAFE_INTEGER, expected)], expected);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false; // Intl throws a RangeError for a zone that it does not know.
  }
}

function inCamelCase(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Secret) return value;
  const camel = (key: string) => key.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [camel(key), inCamelCase(inner)]));
}
