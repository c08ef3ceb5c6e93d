/** `off`: a call is as without tasks; `auto`: who has no answer within the wait gets a handle; `always`: a handle at once. */
export type AsyncMode = 'off' | 'auto' | 'always';

/** How the calls of one server become tasks. */
export interface AsyncRules {
  readonly mode: AsyncMode;
  /** How long a call of mode `auto` is waited for before its handle is given, in ms (0 to 25,000; 1,000 by default). */
  readonly waitMs: number;
  /** Tools, by the server's own names, that differ from the rest. */
  readonly tools: Readonly<Record<string, AsyncMode>>;
}

/** No task runs longer, in ms. */
export const MAX_RUN_MS = 15 * 60_000;

export const ASYNC_WAIT_MS = 1000;

export function modeOf({ mode, tools }: AsyncRules, tool: string): AsyncMode {
  return Object.hasOwn(tools, tool) ? (tools[tool] as AsyncMode) : mode;
}

/** Whether any tool can become a task by these rules. */
export function allowsTasks({ mode, tools }: AsyncRules): boolean {
  return mode !== 'off' || Object.values(tools).some((own) => own !== 'off');
}
