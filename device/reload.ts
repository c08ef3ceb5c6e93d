import type { Router } from '../bridge/router.ts';
import type { Declaration } from './services.ts';
import type { Supervisor } from './supervisor/supervisor.ts';

/** What a reload did, by the names of services. What is in none of the lists went on running. */
export interface Difference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly restarted: readonly string[];
}

/** Brings the running services from one table to the next: only what changed is stopped or started. */
export async function applyDifference(
  before: readonly Declaration[],
  after: readonly Declaration[],
  supervisor: Supervisor,
  router: Router,
): Promise<Difference> {
  const old = new Map(before.map(({ name, key }) => [name, key]));
  const names = new Set(after.map(({ name }) => name));
  const removed = before.map(({ name }) => name).filter((name) => !names.has(name));
  const restarted = after.filter(({ name, key }) => old.has(name) && old.get(name) !== key);
  const added = after.filter(({ name }) => !old.has(name));
  const leaving = [...removed, ...restarted.map(({ name }) => name)];
  await Promise.all(
    leaving.map(async (name) => {
      await supervisor.remove(name);
      router.remove(name);
    }),
  );
  for (const declaration of [...restarted, ...added]) supervisor.add(declaration.create());
  const order = after.map(({ name }) => name);
  supervisor.arrange(order);
  router.arrange(order);
  return {
    added: added.map(({ name }) => name),
    removed,
    restarted: restarted.map(({ name }) => name),
  };
}

/** The table with one declaration as the next table has it: in the place of the old one, or behind its neighbour there. */
export function withRenewed(
  table: readonly Declaration[],
  next: readonly Declaration[],
  name: string,
): readonly Declaration[] {
  const at = next.findIndex((declaration) => declaration.name === name);
  const fresh = next[at];
  if (!fresh) return table; // that it is gone from the settings is for a reload to follow
  const placeOf = (wanted: string) => table.findIndex((declaration) => declaration.name === wanted);
  const place = placeOf(name);
  if (place >= 0) return table.toSpliced(place, 1, fresh);
  const neighbour = next.slice(0, at).findLast((declaration) => placeOf(declaration.name) >= 0);
  return table.toSpliced(neighbour ? placeOf(neighbour.name) + 1 : 0, 0, fresh);
}
