import type { Tool } from '../tool.ts';
import { type Members, membersOf, objectWith } from './members.ts';
import { type AsyncMode, type AsyncRules, ruleOf } from './rules.ts';

/** A tool whose calls can become tasks. */
export interface Wrap {
  readonly mode: Exclude<AsyncMode, 'off'>;
  readonly waitMs: number;
  /** The tool as its callers see it: with our parameter, and without a schema that a handle would not fit. */
  readonly listed: Tool;
  /** The name of our parameter: `sync`, or with a `_` before it where the tool has its own. */
  readonly syncKey: string;
  /** The tool has a parameter `arguments` of its own, so that this name is no envelope. */
  readonly ownsArguments: boolean;
}

/** What a call asks for: its own arguments, and whether it waits for the result in any case. */
export interface Payload {
  readonly sync: boolean;
  /** What the server is to get, where it differs from what came. */
  readonly args?: Buffer;
}

const SYNC = {
  type: 'boolean',
  description:
    'true: wait for the result, however long it takes. Otherwise a slow call returns a task to ask for later.',
};

/** A tool that may become a task by the rules of its server; `undefined` where its calls stay as they are. */
export function wrapTool(tool: Tool, rules: AsyncRules): Wrap | undefined {
  const { mode, waitMs } = ruleOf(rules, tool.name);
  if (mode === 'off') return undefined;
  const { outputSchema: _, inputSchema, execution, ...rest } = tool;
  const schema = isObject(inputSchema) ? inputSchema : {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  let syncKey = 'sync';
  while (Object.hasOwn(properties, syncKey)) syncKey = `_${syncKey}`;
  const listed = {
    ...rest,
    inputSchema: { ...schema, type: 'object', properties: { ...properties, [syncKey]: SYNC } },
    execution: { ...(isObject(execution) ? execution : {}), taskSupport: 'optional' },
  };
  return {
    mode,
    waitMs,
    listed,
    syncKey,
    ownsArguments: Object.hasOwn(properties, 'arguments'),
  };
}

/**
 * Reads the arguments of a call: flat, with our parameter among them, or `{ "arguments": {…}, "sync": … }`. Our
 * parameter never reaches the server, which may refuse what it does not know. `args` is the JSON of an object.
 */
export function readPayload(wrap: Wrap, args: Buffer): Payload {
  // Most calls have neither word in them and go on as they came.
  const isPlain =
    !args.includes('sync') && (wrap.ownsArguments || !args.includes('arguments')) && !args.includes('\\');
  if (isPlain) return { sync: false };
  const given = membersOf(args);
  if (given === undefined) return { sync: false };
  const inner = wrap.ownsArguments ? undefined : envelopeIn(given, wrap.syncKey);
  if (inner === undefined && !given.has(wrap.syncKey)) return { sync: false };
  // Some models put it among the arguments that they have put into an envelope.
  const sync = isTrue(given.get(wrap.syncKey)) || isTrue(inner?.get(wrap.syncKey));
  return { sync, args: Buffer.from(objectWith(inner ?? given, wrap.syncKey)) };
}

function isTrue(flag: string | undefined): boolean {
  return flag === 'true' || flag === '"true"';
}

/** The arguments in an envelope, which holds nothing else. Models send null for none. */
function envelopeIn(given: Members, syncKey: string): Members | undefined {
  const inner = given.get('arguments');
  if (inner === undefined || given.size > (given.has(syncKey) ? 2 : 1)) return undefined;
  return inner === 'null' ? new Map() : membersOf(Buffer.from(inner));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
