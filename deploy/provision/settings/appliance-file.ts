import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'smol-toml';
import { groupOf } from '../group.ts';
import { keepFile, readText } from '../kept-file.ts';
import type { Places } from '../places.ts';
import type { Settings } from './merge.ts';

/** What appliance.toml holds; `undefined` where it is no TOML, which only an edit by hand can make. */
export function readAppliance(places: Places): Settings | undefined {
  try {
    return parse(readText(fileOf(places)) ?? '');
  } catch {
    return undefined;
  }
}

/** Writes it anew, for root and the appliance to read. Comments of an edit by hand are not kept, what it set is. */
export function writeAppliance(places: Places, settings: Settings): void {
  const text = `# Written from aivoice.toml. What is not set here has its default.\n${stringify(settings)}`;
  keepFile(fileOf(places), text, { mode: 0o640, gid: groupOf(places.root, 'aivoice') });
}

/** Keeps one that is no TOML as `appliance.toml.broken`: who provisions anew wants a device that works. */
export function putApplianceAside(places: Places): void {
  renameSync(fileOf(places), `${fileOf(places)}.broken`);
}

function fileOf({ settings }: Places): string {
  return join(settings, 'appliance.toml');
}
