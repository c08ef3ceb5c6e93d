import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { TaskStore } from '../bridge/tasks/store.ts';
import type { Task } from '../bridge/tasks/task.ts';

export interface TaskNewsOptions {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether ends are announced now, and in which language. */
  readonly settings: () => { readonly announce: boolean; readonly language: 'ja' | 'en' };
  /** Puts a text to the voice cloud, which speaks the answer. Rejects with VOICE_BUSY while a turn goes on. */
  readonly say: (text: string, signal: AbortSignal) => Promise<unknown>;
}

/** A conversation is let finish: so often and so many times it is tried again, in ms. */
const RETRY_MS = 5000;
const TRIES = 60;
/** Who asks right after the end has the result already, in ms. */
const GRACE_MS = 1000;
/** More news than that nobody listens to. */
const MAX_NEWS = 16;

/** Tells the people in the room that a task is over, one after the other, where they do not know it yet. */
export class TaskNews implements Disposable {
  readonly #options: TaskNewsOptions;
  readonly #listening: Disposable;
  readonly #stop = new AbortController();
  readonly #news: News[] = [];
  #telling = false;

  constructor(options: TaskNewsOptions) {
    this.#options = options;
    this.#listening = options.store.onChange((task, change) => {
      if (change !== 'finished' || task.status === 'cancelled' || !options.settings().announce) return;
      if (this.#news.length < MAX_NEWS) this.#news.push({ task, tellAt: options.clock.now() + GRACE_MS });
      if (!this.#telling) void this.#tellAll();
    });
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
    this.#stop.abort();
  }

  async #tellAll(): Promise<void> {
    const { signal } = this.#stop;
    this.#telling = true;
    for (let next = this.#news.shift(); next !== undefined && !signal.aborted; next = this.#news.shift())
      await this.#tell(next);
    this.#telling = false;
  }

  async #tell({ task, tellAt }: News): Promise<void> {
    const { clock, log, say, settings } = this.#options;
    const { signal } = this.#stop;
    const earlyMs = tellAt - clock.now();
    if (earlyMs > 0) await clock.sleep(earlyMs, signal);
    for (let tries = 0; tries < TRIES && !signal.aborted && !task.seen && settings().announce; tries++) {
      try {
        await say(textOf(task, settings().language), signal);
        return;
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        if (error.code !== 'VOICE_BUSY') {
          log.info('task_not_announced', { task: task.alias, code: error.code });
          return;
        }
        await clock.sleep(RETRY_MS, signal);
      }
    }
  }
}

interface News {
  readonly task: Task;
  /** When nobody asks any more who was there at its end; by the clock that never jumps, ms. */
  readonly tellAt: number;
}

function textOf({ alias, tool, status }: Task, language: 'ja' | 'en'): string {
  const isGood = status === 'completed';
  if (language === 'ja') {
    return `タスク ${alias}（${tool}）${isGood ? 'の結果が出ました' : 'は失敗しました'}。一言で知らせてください。`;
  }
  return `${isGood ? `The result of ${tool} is ready` : `${tool} has failed`} (task ${alias}). Tell me so in one sentence.`;
}
