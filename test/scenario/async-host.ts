import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { CallResult } from '../cloud/message.ts';
import { Waiters } from '../cloud/waiters.ts';
import { COMMAND } from './aivoice.ts';
import { FIXTURES } from './appliance.ts';
import type { Home } from './home.ts';
import { descendants } from './processes.ts';

/** Waits here are for what comes at once; a busy machine is given so long, in ms. */
export const SOON = 10_000;

/** The command line of a program of `test/fixtures`, as MCP_TARGET_SERVER has it. */
export function target(name: string, ...args: string[]): string {
  return [`'${process.execPath}'`, `'${FIXTURES}/${name}'`, ...args].join(' ');
}

/** A host, the SDK's client, with `aivoice async` behind its pipes. Disposing closes its stdin and waits for its end. */
export async function startHost(home: Home, env: Readonly<Record<string, string>>) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, 'async'],
    env: { ...home.env, ...env },
    cwd: home.work,
    stderr: 'pipe',
  });
  const stderr = new Waiters<string>();
  const updated = new Waiters<string>();
  const errors: string[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk.toString()));
  const client = new Client(
    { name: 'any-host', version: '1.0.0' },
    { capabilities: { roots: { listChanged: true } } },
  );
  client.onerror = ({ message }) => {
    // A cancel may cross the answer on the way, which MCP allows.
    if (!/unknown message ID/.test(message)) errors.push(message);
  };
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///here' }] }));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated.add(params.uri));
  try {
    await client.connect(transport, { timeout: SOON });
  } catch (error) {
    await client.close();
    throw error;
  }
  const pid = transport.pid!;
  return {
    client,
    pid,
    stderr,
    updated,
    /** What on stdout was no JSON-RPC, or no answer to anything. */
    errors,
    /** Calls a tool as a host does. */
    call: async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args }, undefined, { timeout: SOON })) as CallResult & {
        readonly structuredContent?: Record<string, unknown>;
      },
    /** The process of the target. */
    target: () => descendants(pid).find(({ command }) => command.includes(FIXTURES))!,
    [Symbol.asyncDispose]: () => client.close(),
  };
}
