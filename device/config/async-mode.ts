/** `off`: calls are answered when they end; `auto`: who waits too long gets a handle; `always`: a handle at once. */
export type AsyncMode = 'off' | 'auto' | 'always';

/** What an entry says of calls that outlive their wait. */
export interface AsyncSettings {
  /** Default `auto`, and `off` for the servers that come with the appliance. */
  readonly mode?: AsyncMode;
  /** How long a call is waited for before its handle is given, in ms: 0 to 25,000, default 1,000. */
  readonly waitMs?: number;
  /** Tools that differ from the rest, by the server's own names. */
  readonly tools?: Readonly<Record<string, ToolAsync>>;
}

/** How one tool differs: in its mode alone, or in mode, wait or both. What is not said is as for the server. */
export type ToolAsync = AsyncMode | Pick<AsyncSettings, 'mode' | 'waitMs'>;

export function isAsyncMode(value: unknown): value is AsyncMode {
  return value === 'off' || value === 'auto' || value === 'always';
}
