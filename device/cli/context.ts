import type { Environment } from '../config/environment.ts';

/** What a verb may touch of its process, so that tests run verbs without one. */
export interface CliContext {
  readonly environment: Environment;
  /** Aborts when the process is asked to end (SIGTERM, SIGINT): for the verbs that last. */
  readonly asked: AbortSignal;
  /** Writes the text as it is: whoever calls adds the newline. */
  stdout(text: string): void;
  stderr(text: string): void;
}
