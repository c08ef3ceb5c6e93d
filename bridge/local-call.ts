import type { Call, Caller, CallFailure } from './call.ts';
import { createEnvelopeReader } from './envelope.ts';
import { INTERNAL_ERROR } from './jsonrpc.ts';
import { LOCAL_NAME_LIMIT } from './names.ts';
import type { Router } from './router.ts';

/** What came of a call from this machine: the tool's result, or why there is none. */
export type CallOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: string; readonly message: string } };

/** Calls a tool through the router as the cloud would, for the command line. Aborting cancels it at the server. */
export async function callTool(
  router: Router,
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const route = router.table(LOCAL_NAME_LIMIT).find(name);
  if (!route) return { error: { code: 'TOOL_UNKNOWN', message: `no such tool: ${name}` } };
  const params = { name, arguments: args };
  const message = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  const envelope = createEnvelopeReader().read(message);
  if (!envelope) return { error: { code: 'USAGE', message: 'arguments nest too deep' } };
  const givenUp: CallOutcome = { error: { code: 'STOPPED', message: 'given up' } };
  if (signal.aborted) return givenUp;
  return new Promise((resolve) => {
    const end = (outcome: CallOutcome) => {
      signal.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    const caller: Caller = {
      answer: (answer) => end(outcomeOf(answer)),
      fail: (_call: Call, { code, message }: CallFailure) => end({ error: { code, message } }),
      tell: () => {},
    };
    const cancel = () => {
      router.drop(caller, 'given up');
      end(givenUp);
    };
    signal.addEventListener('abort', cancel, { once: true });
    router.call({ caller, id: '1' }, route, message, envelope);
  });
}

/** A server may put anything in the place of an error. */
function outcomeOf(answer: Buffer): CallOutcome {
  const { result, error } = JSON.parse(answer.toString()) as { result?: unknown; error?: WireError | null };
  if (error === undefined || error === null) return { result };
  const own = error.data?.code;
  const number = typeof error.code === 'number' ? error.code : INTERNAL_ERROR;
  return {
    error: {
      code: typeof own === 'string' ? own : String(number),
      message: typeof error.message === 'string' ? error.message : 'no reason given',
    },
  };
}

interface WireError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: { readonly code?: unknown } | null;
}
