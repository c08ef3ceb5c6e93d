import type { CallResult, Tool } from '../cloud/message.ts';

/** Whoever has tools, as a host needs it. */
export interface ToolServer {
  /** Stands before the name of its tools, `server__tool`; '' leaves the names as they are. */
  readonly name: string;
  /** Its tools as they are now. */
  tools(signal: AbortSignal): Promise<readonly Tool[]>;
  /** Throws where there is no result at all. */
  call(tool: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallResult>;
  close?(): Promise<void>;
}
