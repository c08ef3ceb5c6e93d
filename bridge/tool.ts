/** A tool as its server describes it: kept whole, also the fields that we do not know. */
export interface Tool {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** The tools in a `tools/list` result; what is not a tool with a name is left out, so that one odd entry hides no other. */
export function toolsIn(result: unknown): Tool[] {
  const tools = (result as { tools?: unknown } | null)?.tools;
  return Array.isArray(tools) ? tools.filter(isTool) : [];
}

export function isTool(value: unknown): value is Tool {
  const name = (value as { name?: unknown } | null)?.name;
  return typeof name === 'string' && name.length > 0 && name.length <= 1000;
}
