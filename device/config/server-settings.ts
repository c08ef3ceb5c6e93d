import type { Fault } from '#kernel/fault.ts';
import type { AsyncSettings } from './async-mode.ts';
import type { Problem } from './problem.ts';

/** One MCP server of the settings, its variables replaced and its paths absolute. */
export interface ServerSettings {
  readonly name: string;
  readonly type: 'stdio' | 'sse' | 'http';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM file of an authority that may have signed the certificate of `url`; absolute. */
  readonly caFile?: string;
  readonly tools?: ToolSettings;
  readonly async?: AsyncSettings;
  readonly disabled: boolean;
  /** One of our own programs, under whatever name. */
  readonly builtin: boolean;
  /** Why this one cannot run as it is written. The others can. */
  readonly fault?: Fault;
}

/** Which tools of a server are offered, and as what, by the server's own names. */
export interface ToolSettings {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly rename?: Readonly<Record<string, string>>;
}

export interface LoadedServers {
  readonly servers: readonly ServerSettings[];
  readonly file?: string;
  readonly problems: readonly Problem[];
}

/** The programs that come with the appliance. */
export interface BuiltinServers {
  readonly folder: string;
  readonly all: readonly ServerSettings[];
  program(name: string): { readonly command: string; readonly args: readonly string[] } | undefined;
  /** Whether a command line with these arguments runs one of them. */
  owns(args: readonly string[]): boolean;
}
