import type { Node } from 'jsonc-parser';
import { type AsyncSettings, isAsyncMode, type ToolAsync } from './async-mode.ts';
import { type EntryValues, propertiesOf, step } from './entry-values.ts';
import { nearest, unknownKey } from './nearest.ts';
import { shownName } from './plain-line.ts';

const MAX_WAIT = 25_000;
const MAX_TOOLS = 1000;
const MODES = '"off" or "auto" or "always"';
const KEYS = ['async', 'asyncWaitMs'] as const;

type Key = (typeof KEYS)[number];

/** Reads `async`, `asyncWaitMs` and `asyncTools` of an entry. What is wrong in them is a fault of the entry. */
export function readAsyncSettings(values: EntryValues): AsyncSettings | undefined {
  const tools = values.node('asyncTools');
  if (!values.has('async') && !values.has('asyncWaitMs') && !tools) return undefined;
  const pairs = tools?.type === 'object' ? propertiesOf(tools) : [];
  if (tools && (tools.type !== 'object' || pairs.length > MAX_TOOLS))
    refuse(values, tools, '.asyncTools', `{…} of at most ${MAX_TOOLS} tools and modes`);
  return {
    ...readRule(values, (key) => values.node(key), ''),
    ...(tools && {
      tools: Object.fromEntries(pairs.map(([name, node]) => [name, readTool(values, name, node)])),
    }),
  };
}

/** What is said of one tool: a mode alone, or what differs of mode and wait. */
function readTool(values: EntryValues, name: string, node: Node): ToolAsync {
  const path = `.asyncTools${step(name)}`;
  if (isAsyncMode(node.value)) return node.value;
  if (node.type !== 'object') {
    refuse(values, node, path, `${MODES} or {…} with async and asyncWaitMs`);
    return {};
  }
  const given = new Map(propertiesOf(node));
  for (const key of given.keys()) {
    if (KEYS.includes(key as Key)) continue;
    const detail = unknownKey(nearest(key, KEYS), KEYS);
    values.report('CONFIG_UNKNOWN_KEY', 'error', node, path + step(shownName(key)), detail);
  }
  return readRule(values, (key) => given.get(key), path);
}

function readRule(values: EntryValues, nodeOf: (key: Key) => Node | undefined, path: string) {
  const [mode, wait] = [nodeOf('async'), nodeOf('asyncWaitMs')];
  if (mode && !isAsyncMode(mode.value)) refuse(values, mode, `${path}.async`, MODES);
  if (wait && !isWait(wait.value))
    refuse(values, wait, `${path}.asyncWaitMs`, `a whole number of milliseconds from 0 to ${MAX_WAIT}`);
  return {
    ...(mode && isAsyncMode(mode.value) && { mode: mode.value }),
    ...(wait && isWait(wait.value) && { waitMs: wait.value }),
  };
}

function refuse(values: EntryValues, at: Node, path: string, expected: string): void {
  values.report('CONFIG_INVALID', 'error', at, path, `expected ${expected}, got something else`);
}

function isWait(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_WAIT;
}
