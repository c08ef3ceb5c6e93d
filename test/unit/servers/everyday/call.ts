import assert from 'node:assert/strict';
import type { Tool } from '../../../../servers/stdio.ts';

/** Runs a tool and takes its answer apart. */
export async function call(tool: Tool, args: Record<string, unknown>, signal = new AbortController().signal) {
  const { content, structuredContent, isError } = await tool.run(args, signal);
  const [first] = content;
  assert.ok(first?.type === 'text' && structuredContent !== undefined);
  assert.ok(!('action' in structuredContent));
  return { text: first.text, facts: structuredContent, isError: isError === true };
}
