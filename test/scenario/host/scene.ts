import type { CallResult } from '../../cloud/message.ts';
import { type ModelScript, type ModelService, startModelService } from '../../cloud/model-service.ts';
import { createHost, type Host, type HostOptions } from '../../host/host.ts';
import { openaiModel } from '../../host/model.ts';
import type { ToolServer } from '../../host/tool-server.ts';

/** Waits between tries that a test can wait for. */
const SOON = { firstMs: 1, maxMs: 4 };

export interface Scene extends AsyncDisposable {
  readonly host: Host;
  readonly service: ModelService;
}

/** A host on a service whose model says what the script says. */
export async function setHost(script: ModelScript, options: Partial<HostOptions> = {}): Promise<Scene> {
  await using made = new AsyncDisposableStack();
  const service = made.use(await startModelService(script));
  const model = openaiModel({ model: 'm', baseUrl: service.baseUrl });
  const host = made.use(createHost({ model, servers: [], retry: SOON, ...options }));
  const held = made.move();
  return { host, service, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** A server inside the test: a tool by its name, and what it does. */
export function handMade(
  name: string,
  tools: Readonly<Record<string, (args: Record<string, unknown>, signal: AbortSignal) => unknown>>,
): ToolServer {
  return {
    name,
    tools: async () => Object.keys(tools).map((tool) => ({ name: tool, inputSchema: { type: 'object' } })),
    async call(tool, args, signal): Promise<CallResult> {
      return { content: [{ type: 'text', text: String(await tools[tool]!(args, signal)) }] };
    },
  };
}
