import type { Node } from 'jsonc-parser';
import { type AsyncMode, type AsyncSettings, isAsyncMode } from './async-mode.ts';
import { type EntryValues, propertiesOf, step } from './entry-values.ts';

const MAX_WAIT = 25_000;
const MAX_TOOLS = 1000;

/** Reads `async`, `asyncWaitMs` and `asyncTools` of an entry. What is wrong in them is a fault of the entry. */
export function readAsyncSettings(values: EntryValues): AsyncSettings | undefined {
  const [mode, wait, tools] = [values.node('async'), values.node('asyncWaitMs'), values.node('asyncTools')];
  if (!mode && !wait && !tools) return undefined;
  const report = (at: Node, path: string, expected: string) =>
    values.report('CONFIG_INVALID', 'error', at, path, `expected ${expected}, got something else`);
  const isMode = (node: Node, path: string) => {
    if (isAsyncMode(node.value)) return true;
    report(node, path, '"off" or "auto" or "always"');
    return false;
  };
  if (wait && !(Number.isInteger(wait.value) && wait.value >= 0 && wait.value <= MAX_WAIT))
    report(wait, '.asyncWaitMs', `a whole number of 0 to ${MAX_WAIT}`);
  const pairs = tools?.type === 'object' ? propertiesOf(tools) : [];
  if (tools && (tools.type !== 'object' || pairs.length > MAX_TOOLS))
    report(tools, '.asyncTools', `{…} of at most ${MAX_TOOLS} tools and modes`);
  const own = pairs.filter(([name, node]) => isMode(node, `.asyncTools${step(name)}`));
  return {
    ...(mode && isMode(mode, '.async') ? { mode: mode.value as AsyncMode } : {}),
    ...(wait ? { waitMs: wait.value as number } : {}),
    ...(tools
      ? { tools: Object.fromEntries(own.map(([name, { value }]) => [name, value as AsyncMode])) }
      : {}),
  };
}
