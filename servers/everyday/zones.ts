import { distance } from 'fastest-levenshtein';

/** The zone where nothing else is said. */
const DEFAULT_ZONE = 'Asia/Tokyo';

/** The first of AIVOICE_TIME_ZONE, TZ and Asia/Tokyo that is a zone; a TZ of the old kind (`JST-9`) is passed over. */
export function defaultZone(env: NodeJS.ProcessEnv): string {
  return (
    [env.AIVOICE_TIME_ZONE, env.TZ].map((zone) => knownZone(zone ?? '')).find((zone) => zone !== undefined) ??
    DEFAULT_ZONE
  );
}

/** The zone's name in its proper spelling (`asia/tokyo` -> `Asia/Tokyo`), or undefined when there is no such zone. */
export function knownZone(asked: string): string | undefined {
  if (asked === '') return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: asked }).resolvedOptions().timeZone;
  } catch {
    return undefined;
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

function plain(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().replaceAll(' ', '_').slice(0, 64);
}
