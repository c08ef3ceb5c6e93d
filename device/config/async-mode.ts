/** `off`: calls are answered when they end; `auto`: who waits too long gets a handle; `always`: a handle at once. */
export type AsyncMode = 'off' | 'auto' | 'always';

/** What an entry says of calls that outlive their wait. */
export interface AsyncSettings {
  /** Default `auto`, and `off` for the servers that come with the appliance. */
  readonly mode?: AsyncMode;
  /** How long a call is waited for before its handle is given, in ms: 0 to 25,000, default 1,000. */
  readonly waitMs?: number;
  /** Tools that differ from the rest, by the server's own names. */
  readonly tools?: Readonly<Record<string, AsyncMode>>;
}

export function isAsyncMode(value: unknown): value is AsyncMode {
  return value === 'off' || value === 'auto' || value === 'always';
}
