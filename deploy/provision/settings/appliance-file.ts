import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'smol-toml';
import { groupOf } from '../group.ts';
import { keepFile, readText } from '../kept-file.ts';
import type { Places } from '../places.ts';
import type { Settings } from './merge.ts';

const HEAD =
  '# Written from aivoice.toml. What is not set here has its default; what was written by hand is in appliance.toml.before.';

/** Beside appliance.toml; they may hold the keys that it held. */
export const FORMER = ['appliance.toml.before', 'appliance.toml.broken'] as const;

/** What appliance.toml holds; `undefined` where it is no TOML, which only an edit by hand can make. */
export function readAppliance(places: Places): Settings | undefined {
  try {
    return settingsIn(readText(fileOf(places)) ?? '');
  } catch {
    return undefined;
  }
}

/**
 * Writes it anew, for root and the appliance to read. Of an edit by hand what it set is kept, comments are not: the file as
 * it was stays beside it as `appliance.toml.before`. What was written here itself makes no such copy, so that the last edit
 * by hand is still there after any number of provisionings.
 */
export function writeAppliance(places: Places, settings: Settings): void {
  const options = { mode: 0o640, gid: groupOf(places.root, 'aivoice') };
  const before = readText(fileOf(places));
  if (before !== undefined && isByHand(before)) keepFile(`${fileOf(places)}.before`, before, options);
  keepFile(fileOf(places), textOf(settings), options);
}

/** Keeps one that is no TOML as `appliance.toml.broken`: who provisions anew wants a device that works. */
export function putApplianceAside(places: Places): void {
  renameSync(fileOf(places), `${fileOf(places)}.broken`);
}

/** A single line is what a fresh system has, or nothing that somebody would miss: what it sets is kept anyway. */
function isByHand(text: string): boolean {
  if (text.trim().split('\n').length < 2) return false;
  try {
    return text !== textOf(settingsIn(text));
  } catch {
    return true; // No TOML.
  }
}

/** As the appliance reads it: Notepad puts a BOM before it. */
function settingsIn(text: string): Settings {
  return parse(text.replace(/^\ufeff/, ''));
}

function textOf(settings: Settings): string {
  return `${HEAD}\n${stringify(settings)}`;
}

function fileOf({ settings }: Places): string {
  return join(settings, 'appliance.toml');
}
