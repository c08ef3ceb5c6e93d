import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '#kernel/codes.ts';
import { Fault } from '#kernel/fault.ts';
import { readObject } from '#kernel/json-file.ts';
import type { Context } from './context.ts';
import type { Placed, Store } from './store/store.ts';

/** What `releases --json` prints. Fields are only added. */
export interface ReleasesDocument {
  readonly schema: 1;
  readonly current: string | null;
  readonly good: string | null;
  readonly previous: string | null;
  readonly releases: readonly {
    readonly version: string;
    readonly from: 'release' | 'factory';
    readonly commit: string;
    readonly builtAt: string;
    readonly current: boolean;
    readonly good: boolean;
  }[];
  readonly bad: readonly { readonly version: string; readonly reason: string; readonly at: string }[];
  readonly update: object | null;
  readonly undone: object | null;
}

/** Reads the store and changes nothing. Throws NOT_INSTALLED. */
export function listReleases(store: Store): ReleasesDocument {
  const { places } = store;
  const versions = names(places.releases);
  const placed = [store.factory(), ...versions.map((version) => store.release(version))].filter(
    (one) => one !== undefined,
  );
  if (placed.length === 0) throw new Fault('NOT_INSTALLED', `no release in ${places.store}`);
  const [current, good, previous] = [store.read('current'), store.read('good'), store.read('previous')];
  const line = ({ version, from, link, manifest: { commit, builtAt } }: Placed) => ({
    version,
    from,
    commit,
    builtAt,
    current: link === current?.link,
    good: link === good?.link,
  });
  return {
    schema: 1,
    current: current?.version ?? null,
    good: good?.version ?? null,
    previous: previous?.version ?? null,
    releases: placed.map(line),
    bad: names(places.bad).map((version) => {
      const { reason, at } = readObject(join(places.bad, version)) ?? {};
      return { version, reason: String(reason ?? ''), at: String(at ?? '') };
    }),
    update: store.update() ?? null,
    undone: store.undone() ?? null,
  };
}

/** The same as a table for people, with why the last undone update was undone. */
export function releasesText(store: Store, language: Language): readonly string[] {
  const { releases, bad } = listReleases(store);
  const word = (ja: string, en: string) =>
    language === 'both' ? `${ja} / ${en}` : language === 'ja' ? ja : en;
  const undone = store.undone();
  const lines = releases.map(({ version, from, builtAt, current, good }) => {
    const marks = [
      from === 'factory' && word('出荷時', 'factory'),
      current && word('動作中', 'current'),
      good && word('確認済み', 'good'),
    ].filter(Boolean);
    return [current ? '*' : ' ', version.padEnd(16), builtAt.slice(0, 10), marks.join(', ')]
      .join(' ')
      .trimEnd();
  });
  for (const { version, reason } of bad)
    lines.push(`! ${version.padEnd(16)} ${word('不良', 'bad')}: ${reason}`);
  if (undone) {
    const { version, back, check, reason, at, log, acknowledged } = undone;
    const hint = word(
      'aivoice releases --acknowledge で確認済みにします',
      'aivoice releases --acknowledge ends this notice',
    );
    lines.push(
      '',
      `${word('取り消した更新', 'undone update')}: ${version} -> ${back}, ${at}, ${check}: ${reason}`,
    );
    lines.push(...log.map((text) => `    ${text}`));
    lines.push(acknowledged ? word('確認済み', 'acknowledged') : hint);
  }
  return lines;
}

/** Notes that somebody has seen the last undone update; false where there is none. */
export function acknowledge({ store }: Context): boolean {
  const undone = store.undone();
  if (!undone) return false;
  if (!undone.acknowledged) store.setUndone({ ...undone, acknowledged: true });
  return true;
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .toSorted();
  } catch {
    return [];
  }
}
