import { isoOf } from '#kernel/clock.ts';
import type { Context } from './context.ts';
import type { Baseline } from './proof/baseline.ts';
import { passGate } from './proof/gate.ts';
import { Silence } from './proof/silence.ts';
import { standing } from './proof/standing.ts';
import { NO_VERDICT, type Verdict } from './report.ts';
import { bootId } from './store/lock.ts';
import { type Update, WATCH_MS } from './store/record.ts';
import type { Placed } from './store/store.ts';
import { undo } from './undo.ts';

export interface SwitchOptions extends Baseline {
  /** What the gate has, in ms. */
  readonly deadlineMs: number;
}

/**
 * Makes a release that is in place the one that runs, proves it, and undoes that where it does not work. From the first
 * line on, a power cut or a SIGKILL leaves a record by which the guard or the next run puts everything right.
 */
export async function switchTo(context: Context, to: Placed, options: SwitchOptions): Promise<Verdict> {
  const { store, unit, appliance, report, clock } = context;
  const good = store.read('good') ?? store.factory();
  const watched = store.update();
  const update: Update = {
    phase: 'proving',
    from: good?.version ?? '',
    to: to.version,
    back: good?.link ?? store.places.factory,
    at: isoOf(clock.wall()),
    bootId: bootId(),
    until: null,
  };
  const verdict = { ...NO_VERDICT, version: to.version, from: good?.version ?? null };
  report.step('switching', to.version);
  store.setUpdate(update);
  await using silence = new Silence(
    store.places.runtime,
    { version: to.version, before: options.before },
    clock,
  );
  store.point('current', to);
  await unit.restart();
  report.step('proving', to.version);
  const outside: string[] = [];
  const note = (what: string) => outside.push(what);
  const failure = await passGate(to, { unit, appliance, clock, note, ...options });
  if (failure) {
    const back = await undo(context, update, failure, options.before);
    // Its ten minutes are not over because something else was tried in them.
    if (watched?.phase === 'watching' && watched.to === back.version) await watchOn(context, watched);
    if (to.from === 'release') store.remove(to.version);
    return {
      ...verdict,
      verdict: 'undone',
      code: 'UPDATE_UNDONE',
      reason: `${failure.check}: ${failure.reason}`,
    };
  }
  const stands = standing(store, await appliance.glance(to.folder));
  if (good && good.link !== to.link) store.point('previous', good);
  store.point('good', to);
  const until = isoOf(clock.wall() + WATCH_MS);
  await watchOn(context, { ...update, phase: 'watching', until, ...stands });
  for (const what of outside) report.step('outside', what);
  return { ...verdict, verdict: 'good', reason: outside[0] ?? null, silentMs: silence.ms };
}

async function watchOn({ store, unit, report }: Context, watched: Update): Promise<void> {
  store.setUpdate(watched);
  if (!(await unit.startWatch())) report.step('unwatched');
}
