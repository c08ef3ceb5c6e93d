import { type DeviceTool, describeTool } from './tool.ts';

/** A whole message may have 8,000 bytes (cloud protocol 2.9); what stands around the result takes less than 300. */
const MAX_RESULT = 7700;

export interface ToolPage {
  readonly tools: readonly object[];
  /** Name of the tool that the next page begins with. */
  readonly nextCursor?: string;
}

/**
 * The page that begins with the tool named `cursor` ('' or `undefined`: the first). `undefined` where there is no such
 * tool, or where it fits no page.
 */
export function pageOf(tools: readonly DeviceTool[], cursor: string | undefined): ToolPage | undefined {
  const from = cursor === undefined || cursor === '' ? 0 : tools.findIndex(({ name }) => name === cursor);
  if (from < 0) return undefined;
  const page: object[] = [];
  for (const tool of tools.slice(from)) {
    const longer = { tools: [...page, describeTool(tool)], nextCursor: tool.name };
    if (Buffer.byteLength(JSON.stringify(longer)) > MAX_RESULT)
      return page.length === 0 ? undefined : { tools: page, nextCursor: tool.name };
    page.push(describeTool(tool));
  }
  return { tools: page };
}
