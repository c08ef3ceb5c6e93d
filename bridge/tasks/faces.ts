import { isoOf } from '#kernel/clock.ts';
import { cutText, fitResult, MIN_BUDGET } from '../budget.ts';
import { POLL_MS, type Task } from './task.ts';

/** A result of tools/call of our own making. */
export interface FaceResult {
  readonly content: readonly object[];
  readonly structuredContent: object;
  readonly isError: boolean;
}

/** What is told of a task in every form. */
export interface TaskFacts {
  readonly taskId: string;
  readonly alias: string;
  readonly status: string;
  readonly tool: string;
  readonly startedAt: string;
  readonly pollIntervalMs: number;
  readonly progress?: unknown;
  readonly reason?: string;
}

export function factsOf(task: Task): TaskFacts {
  return {
    taskId: task.id,
    alias: task.alias,
    status: task.status,
    tool: task.tool,
    startedAt: isoOf(task.startedAt),
    pollIntervalMs: POLL_MS,
    ...(task.progress === undefined ? {} : { progress: task.progress }),
    ...(task.reason === undefined ? {} : { reason: task.reason }),
  };
}

export function taskUri({ id }: Task): string {
  return `task://${id}`;
}

/** What a caller gets in the place of a result that is not there yet. */
export function handleOf(task: Task): FaceResult {
  const text = `${task.tool} is still running as task ${task.alias} (taskId ${task.id}). Its result is not known yet: tell the user that it is being worked on, and call async_get_task_result with taskId "${task.alias}" when it is asked for.`;
  return {
    content: [{ type: 'text', text }, linkOf(task)],
    structuredContent: factsOf(task),
    isError: false,
  };
}

function linkOf(task: Task): object {
  const description = `${task.tool}, ${task.status}`;
  return {
    type: 'resource_link',
    uri: taskUri(task),
    name: task.alias,
    description,
    mimeType: 'application/json',
  };
}

/** The result of a task as JSON for whoever asks for it: the tool's own where there is one, else what became of it. */
export function resultJsonOf(task: Task): string {
  switch (task.status) {
    case 'working':
      return JSON.stringify(handleOf(task));
    case 'completed':
      return String(task.outcome);
    case 'failed':
      return JSON.stringify(toldOf(task, `Task ${task.alias} (${task.tool}) failed: ${task.reason}`, true));
    case 'cancelled':
      return JSON.stringify(
        toldOf(task, `Task ${task.alias} (${task.tool}) was cancelled: ${task.reason}`, false),
      );
  }
}

/** A sentence about a task, with its facts and, of a failed one, the error that its server gave. */
export function toldOf(task: Task, text: string, isError: boolean): FaceResult {
  const error = task.status === 'failed' ? { error: JSON.parse(String(task.outcome)) as unknown } : {};
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...factsOf(task), ...error },
    isError,
  };
}

/**
 * `{ status, result | error }` as JSON: what stands at the address of a task. Of an outcome over `room` bytes only the
 * head is in it, as of any result that its reader could not take.
 */
export function documentOf(task: Task, room = Infinity): string {
  const facts = JSON.stringify(factsOf(task));
  if (task.outcome === undefined) return facts;
  const whole = String(task.outcome);
  const outcome = task.outcome.length <= room ? whole : cutOutcome(task, whole, Math.max(room, MIN_BUDGET));
  return `${facts.slice(0, -1)},"${task.status === 'failed' ? 'error' : 'result'}":${outcome}}`;
}

function cutOutcome({ status, reason = '' }: Task, json: string, room: number): string {
  return status === 'failed'
    ? JSON.stringify({ message: cutText(reason, room) })
    : fitResult(json, room).json;
}
