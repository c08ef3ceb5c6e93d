import { Fault } from '#kernel/fault.ts';
import type { Tool } from '../tool.ts';
import { factsOf, resultJsonOf, toldOf } from './faces.ts';
import { POLL_MS, type Task } from './task.ts';

const TASK_ID = {
  description: 'The taskId, the short name such as "t1", or the whole handle of the task.',
  type: ['string', 'object'],
};

/** The tools that answer for tasks. `consume` has another default in each host, so it is told by whoever lists them. */
export function taskTools(consume: boolean): Tool[] {
  return [
    {
      name: 'async_list_pending_tasks',
      description: 'Lists the tasks that run and those that are finished and still kept.',
      inputSchema: { type: 'object', properties: {} },
    },
    {
      name: 'async_get_task_result',
      description:
        'The result of a task that was started before. Says so where the task is still running; wait_ms waits for it.',
      inputSchema: {
        type: 'object',
        properties: {
          taskId: TASK_ID,
          wait_ms: { type: 'integer', minimum: 0, maximum: POLL_MS, description: 'Default 0.' },
          consume: { type: 'boolean', description: `Forget the task once it is read. Default ${consume}.` },
        },
        required: ['taskId'],
      },
    },
    {
      name: 'async_cancel_task',
      description: 'Stops a task that is still running.',
      inputSchema: { type: 'object', properties: { taskId: TASK_ID }, required: ['taskId'] },
    },
  ];
}

const NAMES: ReadonlySet<string> = new Set(taskTools(false).map(({ name }) => name));

export function isTaskTool(name: string): boolean {
  return NAMES.has(name);
}

/** What the tools and the other faces see of a store: all of it, or the tasks of one server. */
export interface TaskView {
  find(reference: unknown): Task;
  list(): Task[];
  wait(task: Task, ms: number, signal?: AbortSignal): Promise<void>;
  cancel(task: Task, reason: string): boolean;
  consume(task: Task): void;
}

/** Calls one of the three tools; resolves with the JSON of its result, whatever was asked. `signal` ends a wait. */
export async function callTaskTool(
  view: TaskView,
  name: string,
  args: Readonly<Record<string, unknown>>,
  consume: boolean,
  signal?: AbortSignal,
): Promise<string> {
  try {
    switch (name) {
      case 'async_list_pending_tasks':
        return JSON.stringify(listed(view.list()));
      case 'async_get_task_result':
        return await collected(view, args, consume, signal);
      case 'async_cancel_task':
        return JSON.stringify(cancelled(view, args));
      default:
        throw new Fault('TOOL_UNKNOWN', `no such tool: ${name.slice(0, 100)}`);
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return JSON.stringify({
      content: [{ type: 'text', text: `${error.code}: ${error.message}` }],
      structuredContent: { error: { code: error.code, message: error.message } },
      isError: true,
    });
  }
}

function listed(tasks: readonly Task[]): object {
  const lines = tasks.map(({ alias, tool, status }) => `${alias}: ${tool}, ${status}`);
  return {
    content: [{ type: 'text', text: lines.length === 0 ? 'There are no tasks.' : lines.join('\n') }],
    structuredContent: { tasks: tasks.map(factsOf) },
    isError: false,
  };
}

async function collected(
  view: TaskView,
  args: Readonly<Record<string, unknown>>,
  consume: boolean,
  signal: AbortSignal | undefined,
): Promise<string> {
  const task = view.find(args.taskId);
  // Models send numbers as text.
  const ms = Number(args.wait_ms ?? 0);
  if (!(ms >= 0)) throw new Fault('USAGE', `wait_ms is to be 0 to ${POLL_MS}`);
  await view.wait(task, ms, signal);
  const json = resultJsonOf(task);
  const forget = args.consume === undefined ? consume : args.consume === true || args.consume === 'true';
  if (forget && task.status !== 'working' && !signal?.aborted) view.consume(task);
  return json;
}

function cancelled(view: TaskView, args: Readonly<Record<string, unknown>>): object {
  const task = view.find(args.taskId);
  const isNew = view.cancel(task, 'cancelled by request');
  const text = isNew
    ? `Task ${task.alias} (${task.tool}) is cancelled.`
    : `Task ${task.alias} is already over: ${task.status}.`;
  return toldOf(task, text, false);
}
