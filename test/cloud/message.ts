/** JSON-RPC 2.0 as the cloud sees it: nothing is assumed of what the appliance sends until it was checked. */
export type Id = string | number | null;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface Message {
  readonly jsonrpc?: string;
  readonly id?: Id;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: RpcError;
}

export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Record<string, unknown>;
}

export interface CallResult {
  readonly content: ReadonlyArray<{ readonly type: string; readonly text?: string }>;
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
}

/** One frame from the appliance, with the moment (ms since the cloud started) at which it arrived. */
export interface Received {
  readonly at: number;
  readonly connection: number;
  readonly text: string;
  readonly bytes: number;
  /** Absent where the text is not one JSON object. */
  readonly message?: Message;
}

/** An answer is what has an id and no method. Id 0 is an id. */
export function isReply(message: Message): boolean {
  return message.method === undefined && message.id !== undefined;
}

/** What is wrong with a frame by JSON-RPC 2.0, or nothing: only valid JSON-RPC may reach a cloud. */
export function faultOf(received: Received): string | undefined {
  const { message } = received;
  if (message === undefined) return 'not a JSON object';
  if (message.jsonrpc !== '2.0') return 'no "jsonrpc":"2.0"';
  if (message.method !== undefined) return undefined;
  if (message.id === undefined) return 'neither a method nor an id';
  const answers = Number(message.result !== undefined) + Number(message.error !== undefined);
  return answers === 1 ? undefined : 'neither a result nor an error, or both';
}

export function parseObject(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text of the first item: what a cloud reads out. */
export function textOf(result: CallResult): string {
  return result.content.find((item) => item.type === 'text')?.text ?? '';
}
