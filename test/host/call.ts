/** What a model asks for. Services disagree on all of it but the name. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  /** Text by the interface, an object from some services, nothing where a tool takes nothing. */
  readonly args: unknown;
}

/** The arguments as an object, or what is wrong with them, in words for the model. */
export function readArguments(
  args: unknown,
): { readonly value: Record<string, unknown> } | { readonly slip: string } {
  if (args === undefined || args === null) return { value: {} };
  if (typeof args === 'string') return readText(args);
  if (typeof args === 'object' && !Array.isArray(args)) return { value: args as Record<string, unknown> };
  return { slip: 'the arguments have to be one JSON object' };
}

function readText(text: string): ReturnType<typeof readArguments> {
  if (text.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    // Some services write the text of the object as JSON once more.
    return readArguments(value === text ? [] : value);
  } catch (error) {
    return { slip: `the arguments are no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * The call that an answer is where it is no answer: small models write one out, as a lone JSON object, fenced or tagged
 * or neither. Undefined where the object names no tool that is known.
 */
export function callInText(
  text: string,
  isTool: (name: string) => boolean,
): Omit<AskedCall, 'id'> | undefined {
  const bare = text
    .trim()
    .replace(/^```(?:json|tool_call)?\s*([\s\S]*?)\s*```$/, '$1')
    .replace(/^<tool_call>\s*([\s\S]*?)\s*(?:<\/tool_call>)?$/, '$1');
  if (!bare.startsWith('{') || !bare.endsWith('}')) return undefined;
  try {
    const { name, arguments: args, parameters } = JSON.parse(bare) as Record<string, unknown>;
    return typeof name === 'string' && isTool(name) ? { name, args: args ?? parameters } : undefined;
  } catch {
    return undefined; // it only looked like one
  }
}

/** Whether the beginning of an answer may still turn out to be a call that was written out. */
export function mayBeCall(text: string): boolean {
  return /^\s*(?:$|[{`<])/.test(text);
}
