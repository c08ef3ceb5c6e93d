import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import { type Tool, toolsIn } from './tool.ts';
import type { Upstream } from './upstream.ts';

/** How long a server may take for its whole list, how many pages that may have, and how much may be in it. */
const LIST_MS = 10_000;
const MAX_PAGES = 100;
const MAX_TOOLS = 1000;
const MAX_LIST = 1 << 20;

/**
 * All pages of a server's list. A cursor that comes again ends it, and so does the deadline once there is a page: some
 * servers page for ever. A name that comes again and what is too much are left out. Rejects with the Fault of the
 * first page.
 */
export async function listTools(upstream: Upstream, clock: Clock, log: Log): Promise<Tool[]> {
  const tools = new Map<string, Tool>();
  const seen = new Set<string>();
  const dueAt = clock.now() + LIST_MS;
  let cursor: string | undefined;
  let size = 0;
  let leftOut = 0;
  for (let page = 0; page < MAX_PAGES && size <= MAX_LIST; page++) {
    const result = await onePage(upstream, cursor, dueAt - clock.now());
    for (const tool of toolsIn(result)) {
      if (tools.has(tool.name)) continue;
      size += JSON.stringify(tool).length;
      if (size <= MAX_LIST && tools.size < MAX_TOOLS) tools.set(tool.name, tool);
      else leftOut++;
    }
    const next = (result as { nextCursor?: unknown } | null | undefined)?.nextCursor;
    if (typeof next !== 'string' || seen.has(next)) break;
    seen.add(next);
    cursor = next;
  }
  if (leftOut > 0) log.warn('tools_left_out', { count: leftOut, kept: tools.size });
  return [...tools.values()];
}

async function onePage(upstream: Upstream, cursor: string | undefined, ms: number): Promise<unknown> {
  try {
    return await upstream.request('tools/list', cursor === undefined ? {} : { cursor }, ms);
  } catch (error) {
    const isLate = error instanceof Fault && error.code === 'SERVER_TIMEOUT';
    if (cursor !== undefined && isLate) return undefined;
    throw error;
  }
}
