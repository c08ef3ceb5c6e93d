import type { RootShell } from './root-shell.ts';

const STORE = '/var/lib/aivoice-releases';

/** What the store of releases says after all is over. */
export interface Settled {
  readonly current: string;
  readonly good: string;
  /** What must not be there: an unconfirmed update, leavings. */
  readonly leavings: readonly string[];
}

/** Reads the store's links and whatever an update may leave behind. The watch over the release in place is none. */
export async function settled(shell: RootShell): Promise<Settled> {
  const told = await shell.get(
    `cd ${STORE} && readlink current && readlink good; cat update.json 2>/dev/null || echo {}; ls -A staging 2>/dev/null; true`,
  );
  const [current = '', good = '', update = '{}', ...leavings] = told.trim().split('\n');
  const { phase, to } = JSON.parse(update) as { phase?: string; to?: string };
  const isWatched = phase === 'watching' && to === nameOf(current);
  const unproved = phase === undefined || isWatched ? [] : [`update.json: ${phase} of ${to}`];
  return {
    current: nameOf(current),
    good: nameOf(good),
    leavings: [...unproved, ...leavings.filter(Boolean)],
  };
}

/** What an update is at, for the record; the watch over the one before it goes on beside it, and is named last. */
export async function phase(shell: RootShell): Promise<string> {
  const look = `cd ${STORE}; phase=$(grep -oE '"phase":"[a-z]+"' update.json 2>/dev/null | cut -d'"' -f4)
case $phase in proving | returning) echo "$phase"; exit ;; esac
if [ -n "$(ls -A staging 2>/dev/null)" ]; then echo staging
elif ls incoming 2>/dev/null | grep -q part; then echo incoming
else echo "\${phase:-idle}"; fi`;
  return (await shell.run(look, 20_000)).output.trim();
}

/** `releases/0.1.1` is 0.1.1, the factory's folder is `factory`. */
export function nameOf(target: string): string {
  return target.replace(/\/$/, '').split('/').at(-1) ?? '';
}

/** Waits, in the machine, until an update is at a certain point. */
export const AT = {
  /** Files of the new release are being written. */
  staging: `[ -n "$(ls -A ${STORE}/staging 2>/dev/null)" ]`,
  /** The new release is current, and not yet proved. */
  proving: (version: string) =>
    `{ grep -q '"phase":"proving"' ${STORE}/update.json && readlink ${STORE}/current | grep -q '/${version}$'; } 2>/dev/null`,
  /** It is proved; an earlier one may have been watched until then. */
  watching: (version: string) =>
    `grep '"phase":"watching"' ${STORE}/update.json 2>/dev/null | grep -q '"to":"${version}"'`,
} as const;
