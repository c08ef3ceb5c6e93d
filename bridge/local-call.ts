import type { Call, Caller, CallFailure } from './call.ts';
import { createEnvelopeReader } from './envelope.ts';
import { LOCAL_NAME_LIMIT } from './names.ts';
import type { Router } from './router.ts';

/** What came of a call from this machine: the tool's result, or why there is none. */
export type CallOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: string; readonly message: string } };

/** Calls a tool through the router as the cloud would, for the command line. Aborting cancels it at the server. */
export function callTool(
  router: Router,
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const route = router.table(LOCAL_NAME_LIMIT).find(name);
  if (!route) return Promise.resolve({ error: { code: 'TOOL_UNKNOWN', message: `no such tool: ${name}` } });
  const params = { name, arguments: args };
  const message = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  const envelope = createEnvelopeReader().read(message);
  if (!envelope) return Promise.resolve({ error: { code: 'USAGE', message: 'arguments nest too deep' } });
  return new Promise((resolve) => {
    const caller: Caller = {
      answer(answer) {
        const { result, error } = JSON.parse(answer.toString()) as { result?: unknown; error?: WireError };
        resolve(
          error
            ? { error: { code: error.data?.code ?? String(error.code), message: error.message } }
            : { result },
        );
      },
      fail: (_call: Call, { code, message }: CallFailure) => resolve({ error: { code, message } }),
      tell: () => {},
    };
    const cancel = () => {
      router.drop(caller, 'given up');
      resolve({ error: { code: 'STOPPED', message: 'given up' } });
    };
    signal.addEventListener('abort', cancel, { once: true });
    router.call({ caller, id: '1' }, route, message, envelope);
  });
}

interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly code?: string };
}
