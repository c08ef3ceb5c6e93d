/**
 * What a model means by a task: its id or alias, its address, or whatever of the handle it hands back, as an object or
 * as JSON text. `undefined` where there is no name of a task in it.
 */
export function taskReference(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (typeof value === 'string') return textReference(value.trim(), depth);
  if (typeof value !== 'object' || value === null) return undefined;
  const { taskId, structuredContent, task, uri } = value as Record<string, unknown>;
  for (const inner of [taskId, structuredContent, task, uri]) {
    const found = inner === undefined ? undefined : taskReference(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A handle in a handle in JSON text: nobody nests deeper. */
const MAX_DEPTH = 4;
/** Longer text is no handle. */
const MAX_TEXT = 4096;

function textReference(text: string, depth: number): string | undefined {
  if (text === '' || text.length > MAX_TEXT) return undefined;
  if (text.startsWith('task://')) return text.slice('task://'.length) || undefined;
  if (!text.startsWith('{') && !text.startsWith('"')) return text;
  try {
    return taskReference(JSON.parse(text), depth + 1);
  } catch {
    return undefined;
  }
}
