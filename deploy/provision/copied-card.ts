import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { stringify } from 'smol-toml';
import { isoOf } from '#kernel/clock.ts';
import { messageOf } from '#kernel/fault.ts';
import { BootPartition } from './boot-partition.ts';
import { isTable } from './file/wish.ts';
import { HostSettings } from './host-settings.ts';
import { keepFile, readText, syncFolder } from './kept-file.ts';
import type { Machine } from './machine.ts';
import { FORMER, readAppliance, writeAppliance } from './settings/appliance-file.ts';
import { takeOut } from './settings/merge.ts';

const KEYS = [
  ['endpoint', 'url'],
  ['voice', 'url'],
  ['voice', 'token'],
] as const;

const NOTICE = [
  'このカードは、別の機器で使われていたカードの写しです。2 台が同じ鍵を使わないよう、接続先の鍵と登録を外しました。',
  'Wi-Fi と SSH 鍵とその他の設定はそのままです。aivoice.toml に endpoint を書いて、電源を入れ直してください。',
  '',
  'This card is a copy of one that was used in another board. So that no two of them share a key, its endpoint and its',
  'registration were set aside. Wi-Fi, SSH keys and all other settings stay. Write endpoint into aivoice.toml and switch on again.',
  '',
].join('\r\n');

/**
 * Takes from a card, which has come to another board, what the first one is known by at the clouds: its keys and its
 * registration (kept in the folder `copied` of the host), and its name. Wi-Fi and settings stay. May be repeated.
 */
export function becomeAnother(machine: Machine, from: string, to: string): void {
  const { places, clock, log } = machine;
  const aside = join(places.host, 'copied');
  setSettingsAside(machine, aside);
  const keys = ['endpoint', 'voice-token', ...FORMER].map((name) => join(places.settings, name));
  const registration = ['voice-identity.json', 'voice-credentials.json'].map((name) =>
    join(places.state, name),
  );
  for (const path of [...keys, ...registration]) moveAside(path, aside);
  new HostSettings(places.host).forgetName();
  const told = { schema: 1, from, to, at: isoOf(clock.wall()) };
  keepFile(noteOf(machine), `${JSON.stringify(told)}\n`, { mode: 0o644 });
  log.warn('card_was_copied', { from, to });
}

/** True where all of that is done for this board: what its owner has given it since is its own. */
export function isAnotherAlready(machine: Machine, to: string): boolean {
  try {
    return JSON.parse(readText(noteOf(machine)) ?? '{}').to === to;
  } catch {
    return false; // no note that anybody can read
  }
}

function noteOf({ places }: Machine): string {
  return join(places.host, 'copied.json');
}

/** A card that is locked or full has its own identity all the same: `status` asks for the endpoint as well. */
export function leaveNotice(machine: Machine): void {
  try {
    new BootPartition(machine).leaveErrors(NOTICE);
  } catch (error) {
    machine.log.warn('notice_not_left', { reason: messageOf(error) });
  }
}

/** Keys that somebody wrote into appliance.toml by hand. */
function setSettingsAside({ places }: Machine, aside: string): void {
  const settings = readAppliance(places) ?? {};
  const left: Record<string, unknown> = { ...settings };
  for (const [name, key] of KEYS) {
    const table = left[name];
    if (isTable(table) && key in table) takeOut(left, name, key);
  }
  if (stringify(left) === stringify(settings)) return;
  keepFile(join(aside, 'appliance.toml'), stringify(settings), { mode: 0o600 });
  writeAppliance(places, left);
}

/** A copy and then the end of it here: the folders may be mounts of their own, between which nothing can be renamed. */
function moveAside(path: string, aside: string): void {
  const text = readText(path);
  if (text === undefined) return;
  keepFile(join(aside, basename(path)), text, { mode: 0o600 });
  rmSync(path, { force: true });
  syncFolder(dirname(path));
}
