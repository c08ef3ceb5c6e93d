import { isoOf } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import { type Span, splice } from '../envelope.ts';
import { pageOf } from './page.ts';
import { POLL_MS, type Task } from './task.ts';
import type { TaskView } from './tools.ts';

/** What a client of MCP 2025-11-25 is told that it may ask for. */
export const TASK_CAPABILITY = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

/** A task as MCP 2025-11-25 has it. */
export function protocolTask(task: Task): object {
  return {
    taskId: task.id,
    status: task.status,
    ...(task.reason === undefined ? {} : { statusMessage: task.reason }),
    createdAt: isoOf(task.startedAt),
    lastUpdatedAt: isoOf(task.updatedAt),
    ttl: task.ttlMs,
    pollInterval: POLL_MS,
  };
}

/** The result of `tasks/get`, `tasks/list` or `tasks/cancel`; `undefined` for any other method. Throws Faults. */
export function askProtocol(
  view: TaskView,
  method: string,
  params: Readonly<Record<string, unknown>>,
): object | undefined {
  switch (method) {
    case 'tasks/get':
      return protocolTask(view.find(params.taskId));
    case 'tasks/list':
      return pageOf('tasks', view.list().map(protocolTask), params.cursor);
    case 'tasks/cancel': {
      const task = view.find(params.taskId);
      if (!view.cancel(task, 'cancelled by request'))
        throw new Fault('USAGE', `task ${task.alias} is already over: ${task.status}`);
      return protocolTask(task);
    }
    default:
      return undefined;
  }
}

/** The result of a completed task with the mark that says whose it is. */
export function relatedResult(task: Task): string {
  const result = JSON.parse(String(task.outcome)) as { _meta?: object } | null;
  const _meta = { ...result?._meta, 'io.modelcontextprotocol/related-task': { taskId: task.id } };
  return JSON.stringify({ ...result, _meta });
}

/** A call as its server is to get it: that we keep a task of it is not its business, and it may have tasks of its own. */
export function withoutTask(message: Buffer, params: Span): Buffer {
  const { task: _, ...rest } = JSON.parse(message.toString('utf8', params.start, params.end)) as object & {
    task?: unknown;
  };
  return splice(message, [[params, Buffer.from(JSON.stringify(rest))]]);
}

/** The life that a client asks for in `params.task`, in ms; `undefined` where it asks for no task. */
export function taskAsked(params: { task?: unknown } | null | undefined): { ttlMs?: number } | undefined {
  const task = params?.task;
  if (typeof task !== 'object' || task === null) return undefined;
  const { ttl } = task as { ttl?: unknown };
  return typeof ttl === 'number' && ttl >= 0 ? { ttlMs: ttl } : {};
}
