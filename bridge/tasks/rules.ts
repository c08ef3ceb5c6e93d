/** `off`: a call is as without tasks; `auto`: who has no answer within the wait gets a handle; `always`: a handle at once. */
export type AsyncMode = 'off' | 'auto' | 'always';

/** How the calls of one server become tasks. */
export interface AsyncRules {
  readonly mode: AsyncMode;
  /** How long a call of mode `auto` is waited for before its handle is given, in ms (0 to 25,000; 1,000 by default). */
  readonly waitMs: number;
  /** Tools, by the server's own names, that differ from the rest. */
  readonly tools: Readonly<Record<string, AsyncMode | Partial<ToolRule>>>;
}

/** How the calls of one tool become tasks. */
type ToolRule = Pick<AsyncRules, 'mode' | 'waitMs'>;

/** No task runs longer, in ms. */
export const MAX_RUN_MS = 15 * 60_000;

export const ASYNC_WAIT_MS = 1000;

/** Mode and wait of a tool, each its own or else that of its server. */
export function ruleOf({ mode, waitMs, tools }: AsyncRules, tool: string): ToolRule {
  const own = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  return { mode, waitMs, ...(typeof own === 'string' ? { mode: own } : own) };
}

/** Whether any tool can become a task by these rules. */
export function allowsTasks(rules: AsyncRules): boolean {
  return rules.mode !== 'off' || Object.keys(rules.tools).some((tool) => ruleOf(rules, tool).mode !== 'off');
}
