import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isOffered, offeredName } from '../../bridge/choice.ts';
import type { ServerSettings } from '../../device/config/server-settings.ts';
import type { CallResult, Tool } from '../cloud/message.ts';
import type { ToolServer } from './tool-server.ts';

/** From the start of a program to its answer to `initialize`: npx and docker fetch something first. */
const START_MS = 60_000;
/** A tool that takes longer is told to stop. */
const CALL_MS = 60_000;
/** A list that has more pages goes in circles. */
const MAX_PAGES = 100;

/** Starts the server of one entry, or dials it. Rejects, with everything closed, where it does not answer. */
export async function startToolServer(settings: ServerSettings): Promise<ToolServer> {
  const client = new Client({ name: 'aivoice-host', version: '1.0.0' });
  const transport = await transportTo(settings);
  try {
    await client.connect(transport, { timeout: START_MS });
  } catch (error) {
    await client.close().catch(() => undefined); // why it did not start says more
    throw error;
  }
  const choice = settings.tools;
  /** The server's own name of each tool, by the one that it is offered under. */
  const own = new Map<string, string>();
  return {
    name: settings.name,
    async tools(signal) {
      const tools: Tool[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const { tools: some, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor }, {
          signal,
        });
        for (const tool of some as Tool[]) {
          if (!isOffered(choice, tool.name)) continue;
          const shown = offeredName(choice, tool.name);
          own.set(shown, tool.name);
          tools.push({ ...tool, name: shown });
        }
        if (nextCursor === undefined) break;
        cursor = nextCursor;
      }
      return tools;
    },
    async call(name, args, signal) {
      const options = { signal, timeout: CALL_MS };
      const asked = { name: own.get(name) ?? name, arguments: args };
      return (await client.callTool(asked, undefined, options)) as CallResult;
    },
    close: () => client.close(),
  };
}

async function transportTo({ type, command, args, env, cwd, url, headers = {} }: ServerSettings) {
  if (type === 'stdio') {
    return new StdioClientTransport({
      command,
      ...{ args: [...args], env: { ...inherited(), ...env }, stderr: 'inherit' },
      ...(cwd === undefined ? {} : { cwd }),
    });
  }
  const address = new URL(url ?? '');
  // The client would refuse it too, and show it.
  if (address.username !== '' || address.password !== '')
    throw new Error('name and password stand in its url: write them into headers');
  const requestInit = { headers };
  if (type === 'sse') {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
    return new SSEClientTransport(address, { requestInit });
  }
  const { StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/sdk/client/streamableHttp.js'
  );
  // Its optional fields are typed otherwise than the interface that it implements.
  return new StreamableHTTPClientTransport(address, { requestInit }) as Transport;
}

/** The key of the model's service is no tool's business, unless its entry hands it on. */
function inherited(): Record<string, string> {
  const { OPENAI_API_KEY: _, ...rest } = process.env;
  return Object.fromEntries(
    Object.entries(rest).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}
