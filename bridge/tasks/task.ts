export type TaskStatus = 'working' | 'completed' | 'failed' | 'cancelled';

/**
 * One call that outlives its question. `id` and `alias` are empty until the task is published: a call that ends within
 * its wait is a task to nobody.
 */
export interface Task {
  /** 128 random bits in base64url, 22 characters. */
  readonly id: string;
  /** What a person can say: `t1`, `t2` … in the order of publishing; never given twice in a life of the store. */
  readonly alias: string;
  /** The tool under the name that its caller knows. */
  readonly tool: string;
  /** Who runs it: the name of a server. With its end the task fails. */
  readonly owner: string;
  readonly status: TaskStatus;
  /** Wall clock, ms. */
  readonly startedAt: number;
  readonly updatedAt: number;
  /** How long it is kept, in ms: from its start where a client asked for that, else from its end. */
  readonly ttlMs: number;
  /** The last that its server told of its progress. */
  readonly progress?: unknown;
  /** JSON in UTF-8: the result of a completed one, the error of a failed one `{ code, message, data? }`. */
  readonly outcome?: Buffer;
  /** Somebody has asked for it since its end, or waited for it. */
  readonly seen: boolean;
  /** In a few words, why it failed or was cancelled. */
  readonly reason?: string;
}

/** What a task needs to begin. */
export interface TaskWork {
  readonly tool: string;
  readonly owner: string;
  /** Nobody wants the result any more: the server is to be told. Called at most once. */
  readonly cancel: (reason: string) => void;
}

export interface TaskLimits {
  /** Tasks that run at once; more are refused. */
  readonly running: number;
  /** Finished tasks that are kept, how many bytes of outcomes, and how long, in ms. */
  readonly finished: number;
  readonly bytes: number;
  readonly keptMs: number;
}

export const TASK_LIMITS: TaskLimits = {
  running: 16,
  finished: 200,
  bytes: 16 << 20,
  keptMs: 15 * 60_000,
};

/** How often a caller should ask, in ms: as long as one question may wait. */
export const POLL_MS = 5000;

/** Something about a published task changed; `gone` where it is no longer kept. */
export type TaskChange = 'added' | 'updated' | 'finished' | 'gone';
