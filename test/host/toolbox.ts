import { LOCAL_NAME_LIMIT, showNames } from '../../bridge/names.ts';
import type { CallResult, Tool } from '../cloud/message.ts';
import { type AskedCall, readArguments } from './call.ts';
import type { OfferedTool } from './model.ts';
import type { ToolServer } from './tool-server.ts';

/** More of a result says no more to a model, and fills what it can remember; bytes. */
const MAX_RESULT = 16_384;

/** What came out of a call, in words for the model. */
export interface Outcome {
  readonly text: string;
  readonly isError: boolean;
}

/** Toolbox: the tools of all servers, as one turn finds them. */
export class Toolbox {
  readonly offered: readonly OfferedTool[];
  readonly #owners: ReadonlyMap<string, { readonly server: ToolServer; readonly tool: Tool }>;

  /** A server that cannot tell its tools has none in this turn; the others are not disturbed. */
  static async open(
    servers: readonly ToolServer[],
    signal: AbortSignal,
    onFault: (server: string, error: unknown) => void,
  ): Promise<Toolbox> {
    const lists = await Promise.all(
      servers.map(async (server) => {
        try {
          return (await server.tools(signal)).map((tool) => ({ server, tool }));
        } catch (error) {
          signal.throwIfAborted();
          onFault(server.name, error);
          return [];
        }
      }),
    );
    return new Toolbox(lists.flat());
  }

  constructor(tools: readonly { readonly server: ToolServer; readonly tool: Tool }[]) {
    const names = (prefix: 'always' | 'collide', of: typeof tools) =>
      showNames(
        of.map(({ server, tool }) => ({ server: server.name, tool: tool.name })),
        { prefix, limit: LOCAL_NAME_LIMIT },
      ).map((name, index) => [name, of[index]!] as const);
    const [bare, named] = [tools.filter(isBare), tools.filter((one) => !isBare(one))];
    this.#owners = new Map([...names('collide', bare), ...names('always', named)]);
    this.offered = [...this.#owners].map(([name, { tool }]) => ({
      name,
      description: tool.description ?? '',
      parameters: parametersOf(tool.inputSchema),
    }));
  }

  has(name: string): boolean {
    return this.#owners.has(name);
  }

  /** Never throws but by an abort: what goes wrong is for the model to read. */
  async call({ name, args }: AskedCall, signal: AbortSignal): Promise<Outcome> {
    const owner = this.#owners.get(name);
    if (owner === undefined)
      return failure(`there is no tool "${name}"; there are: ${[...this.#owners.keys()].join(', ')}`);
    const read = readArguments(args);
    if ('slip' in read) return failure(read.slip);
    try {
      const result = await owner.server.call(owner.tool.name, read.value, signal);
      return { text: cut(textOf(result)), isError: result.isError === true };
    } catch (error) {
      signal.throwIfAborted();
      return failure(error instanceof Error ? error.message : String(error));
    }
  }
}

function isBare({ server }: { readonly server: ToolServer }): boolean {
  return server.name === '';
}

function failure(why: string): Outcome {
  return { text: cut(`Error: ${why}`), isError: true };
}

/** OpenAI refuses an object without properties, Gemini the name of a dialect. */
function parametersOf({ $schema: _, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return { ...schema, type: 'object', properties: schema.properties ?? {} };
}

/** A model reads text alone: of everything else it learns that it is there. */
function textOf({ content, structuredContent, isError }: CallResult): string {
  const parts = content.map((item) => item.text ?? `[${item.type}]`);
  const text = parts.length === 0 && structuredContent ? JSON.stringify(structuredContent) : parts.join('\n');
  return isError === true && !/^error/i.test(text) ? `Error: ${text}` : text;
}

function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_RESULT) return text;
  // A character that was cut through is dropped.
  const head = new TextDecoder().decode(bytes.subarray(0, MAX_RESULT), { stream: true });
  return `${head}\n[cut: the first 16 KB of ${Math.ceil(bytes.length / 1024)} KB]`;
}
