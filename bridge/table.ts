import { LOCAL_NAME_LIMIT, type NameRules, prefixed, showNames, type ToolName } from './names.ts';
import type { Slot } from './slot.ts';
import type { Tool } from './tool.ts';

/** Where a shown name leads. */
export interface Route {
  readonly slot: Slot;
  readonly tool: Tool;
  readonly shown: string;
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
  const tools = routes.map(({ tool, shown: name }) => ({ ...tool, name }));
  return { routes, listJson: JSON.stringify({ tools }), find: (name) => byName.get(name) };
}

function routesOf(slots: readonly Slot[], withdrawn: boolean, rules: NameRules): Route[] {
  const chosen = slots.filter((slot) => slot.withdrawn === withdrawn);
  const entries = chosen.flatMap((slot) => slot.tools.map((tool) => ({ slot, tool })));
  const shown = showNames(entries.map(nameOf), rules);
  return entries.map((entry, index) => ({ ...entry, shown: shown[index] as string }));
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
  return { server: slot.name, tool: tool.name };
}
