import { distance } from 'fastest-levenshtein';

/** The zone where nothing else is said. */
const DEFAULT_ZONE = 'Asia/Tokyo';
const MAX_KEPT = 16;

/** The first of AIVOICE_TIME_ZONE, TZ and Asia/Tokyo that is a zone; a TZ of the old kind (`JST-9`) is passed over. */
export function defaultZone(env: NodeJS.ProcessEnv): string {
  return (
    [env.AIVOICE_TIME_ZONE, env.TZ].map((zone) => knownZone(zone ?? '')).find((zone) => zone !== undefined) ??
    DEFAULT_ZONE
  );
}

/** The zone's name in its proper spelling (`asia/tokyo` -> `Asia/Tokyo`), or undefined when there is no such zone. */
function knownZone(asked: string): string | undefined {
  return asked === '' ? undefined : formatterOf(asked)?.resolvedOptions().timeZone;
}

/** Formatters by the zone as asked for. One takes 0.1 ms and 30 KB that are long in coming back, so they are kept. */
export class Formatters {
  readonly #kept = new Map<string, Intl.DateTimeFormat>();

  /** Undefined when there is no such zone. */
  find(asked: string): Intl.DateTimeFormat | undefined {
    const kept = this.#kept.get(asked);
    if (kept !== undefined) return kept;
    const made = formatterOf(asked);
    if (made === undefined) return undefined;
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(asked, made);
    return made;
  }
}

/** The most similar zone, by its city when only that was given; undefined when none is much like it. */
export function nearestZone(asked: string): string | undefined {
  const wanted = plain(asked);
  const whole = wanted.includes('/');
  let best: string | undefined;
  let least = wanted.length * 0.4;
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const name = plain(zone);
    const edits = distance(wanted, whole ? name : name.slice(name.lastIndexOf('/') + 1));
    if (edits < least) [best, least] = [zone, edits];
  }
  return best;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    });
  } catch {
    // A RangeError: no such zone.
    return undefined;
  }
}

function plain(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().replaceAll(' ', '_').slice(0, 64);
}
