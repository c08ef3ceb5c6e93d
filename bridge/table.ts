import { isOffered, offeredName } from './choice.ts';
import { LOCAL_NAME_LIMIT, type NameRules, prefixed, showNames, type ToolName } from './names.ts';
import type { Slot } from './slot.ts';
import { isTaskTool, taskTools } from './tasks/tools.ts';
import { type Wrap, wrapTool } from './tasks/wrap.ts';
import type { Tool } from './tool.ts';

/** Where a shown name leads. */
export interface Route {
  readonly slot: Slot;
  readonly tool: Tool;
  readonly shown: string;
  /** Calls of this tool can become tasks. */
  readonly wrap?: Wrap;
}

/** One view of all tools under the names that a kind of caller sees; made anew when the tools change. */
export interface Table {
  readonly routes: readonly Route[];
  /** The `tools/list` result as JSON, made once and not for each cloud that asks. */
  readonly listJson: string;
  find(name: string): Route | undefined;
}

/**
 * `find` takes the shown name, and `server__tool` in any case: by a table, never by splitting at `__`. A route says
 * under which name it was found, so that a server gets the tool's own name in its place. Tools of a withdrawn server
 * are found too where no other has the name, so that whoever has an old list is told why they do not work.
 */
export function createTable(slots: Iterable<Slot>, rules: NameRules): Table {
  const all = [...slots];
  const routes = routesOf(all, false, rules);
  const hidden = routesOf(all, true, rules);
  const byName = new Map(hidden.map((route) => [route.shown, route]));
  addAliases(byName, [...routes, ...hidden]);
  for (const route of routes) byName.set(route.shown, route);
  const tools = routes.map(({ tool, shown: name, wrap }) => ({
    ...(wrap?.listed ?? withoutTasks(tool)),
    name,
  }));
  if (routes.some(({ wrap }) => wrap !== undefined)) tools.push(...taskTools(false));
  return { routes, listJson: JSON.stringify({ tools }), find: (name) => byName.get(name) };
}

function routesOf(slots: readonly Slot[], withdrawn: boolean, rules: NameRules): Route[] {
  const chosen = slots.filter((slot) => slot.withdrawn === withdrawn);
  const entries = chosen.flatMap(entriesOf);
  const names = entries.map(nameOf);
  const shown = showNames(names, rules);
  const isOurs = entries.some(({ wrap }) => wrap !== undefined);
  return entries.map((entry, index) => {
    const name = shown[index] as string;
    // Beside our own tools of that name a server's is told by its server.
    if (!isOurs || !isTaskTool(name)) return { ...entry, shown: name };
    const [full = name] = showNames([names[index] as ToolName], { ...rules, prefix: 'always' });
    return { ...entry, shown: full };
  });
}

/** A server with tools for tasks is such a bridge itself, and its calls are not wrapped twice. */
function entriesOf(slot: Slot): Omit<Route, 'shown'>[] {
  const isBridge = slot.tools.some(({ name }) => isTaskTool(name));
  const rules = isBridge ? undefined : slot.rules;
  return offered(slot).map((tool) => {
    const wrap = rules && wrapTool(tool, rules);
    return wrap === undefined ? { slot, tool } : { slot, tool, wrap };
  });
}

function offered({ tools, choice }: Slot): readonly Tool[] {
  return choice === undefined ? tools : tools.filter(({ name }) => isOffered(choice, name));
}

/** The tasks that a server keeps itself cannot be asked for through us, so nobody is to begin one. */
function withoutTasks(tool: Tool): Tool {
  const { execution, ...rest } = tool;
  const support = (execution as { taskSupport?: unknown } | null | undefined)?.taskSupport;
  return support === undefined || support === 'forbidden' ? tool : rest;
}

function addAliases(byName: Map<string, Route>, routes: readonly Route[]): void {
  const names = routes.map(nameOf);
  const aliases = showNames(names, { prefix: 'always', limit: LOCAL_NAME_LIMIT });
  for (const [index, route] of routes.entries()) {
    const alias = aliases[index] as string;
    byName.set(alias, { ...route, shown: alias });
  }
  for (const [index, route] of routes.entries()) {
    // Of two servers whose keys look alike the first has the plain form.
    const plain = prefixed(names[index] as ToolName);
    if (!byName.has(plain)) byName.set(plain, { ...route, shown: plain });
  }
}

function nameOf({ slot, tool }: Pick<Route, 'slot' | 'tool'>): ToolName {
  return { server: slot.name, tool: offeredName(slot.choice, tool.name) };
}
