import { LOCAL_NAME_LIMIT, type NameRules, prefixed, showNames } from './names.ts';
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
 * under which name it was found, so that a server gets the tool's own name in its place.
 */
export function createTable(slots: Iterable<Slot>, rules: NameRules): Table {
  const entries = [...slots].flatMap((slot) => slot.tools.map((tool) => ({ slot, tool })));
  const names = entries.map(({ slot, tool }) => ({ server: slot.name, tool: tool.name }));
  const shown = showNames(names, rules);
  const routes = entries.map((entry, index) => ({ ...entry, shown: shown[index] as string }));
  const byName = new Map<string, Route>();
  const aliases = showNames(names, { prefix: 'always', limit: LOCAL_NAME_LIMIT });
  for (const [index, route] of routes.entries())
    byName.set(aliases[index] as string, as(route, aliases[index]));
  for (const [index, route] of routes.entries()) {
    // Of two servers whose keys look alike the first has the plain form.
    const plain = prefixed(names[index] as (typeof names)[number]);
    if (!byName.has(plain)) byName.set(plain, as(route, plain));
  }
  for (const route of routes) byName.set(route.shown, route);
  const tools = routes.map(({ tool, shown: name }) => ({ ...tool, name }));
  return { routes, listJson: JSON.stringify({ tools }), find: (name) => byName.get(name) };
}

function as(route: Route, shown: string | undefined): Route {
  return shown === undefined ? route : { ...route, shown };
}
