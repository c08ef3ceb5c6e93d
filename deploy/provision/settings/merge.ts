import { isTable, type Wish } from '../file/wish.ts';

export type Settings = Readonly<Record<string, unknown>>;

/** What appliance.toml holds once a wish is granted: what is named is new, the rest stays, keys are kept elsewhere. */
export function mergeSettings(before: Settings, wish: Wish): Settings {
  const named = Object.entries(wish.settings).map(([name, value]) => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    return [name, isTable(value) && isTable(old) ? { ...old, ...value } : value] as const;
  });
  // Not by assignment: what somebody calls __proto__ would vanish before anybody could say that there is no such setting.
  const merged: Record<string, unknown> = { ...before, ...Object.fromEntries(named) };
  if (wish.language !== undefined) merged.language = wish.language;
  if (wish.timeZone !== undefined) merged.time_zone = wish.timeZone;
  // A key in the file would stand above the one that is handed over beside it.
  if (wish.endpoint !== undefined) takeOut(merged, 'endpoint', 'url');
  if (wish.voiceToken !== undefined) takeOut(merged, 'voice', 'token');
  return merged;
}

/** Takes a key out of a table, and the table where nothing else is in it. */
export function takeOut(settings: Record<string, unknown>, name: string, key: string): void {
  const { [key]: _, ...rest } = table(settings[name]);
  if (Object.keys(rest).length > 0) settings[name] = rest;
  else delete settings[name];
}

/** The same with the keys in it, and in no language: so the product's check sees all, and speaks both. */
export function forCheck(
  merged: Settings,
  { endpoint, voiceToken }: Pick<Wish, 'endpoint' | 'voiceToken'>,
): Settings {
  const { language: _, ...rest } = merged;
  return {
    ...rest,
    ...(endpoint === undefined ? {} : { endpoint: { ...table(merged.endpoint), url: endpoint } }),
    ...(voiceToken === undefined ? {} : { voice: { ...table(merged.voice), token: voiceToken } }),
  };
}

function table(value: unknown): Settings {
  return isTable(value) ? value : {};
}
