import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { BootPartition } from './boot-partition.ts';
import { errorsText } from './file/errors-text.ts';
import { isProblem, readPlainText } from './file/plain-text.ts';
import { MAX_PROBLEMS, type Problem } from './file/problem.ts';
import { readWish } from './file/read-wish.ts';
import { readToml } from './file/toml.ts';
import { keyfileOf } from './file/wifi.ts';
import type { Wish } from './file/wish.ts';
import { HostSettings } from './host-settings.ts';
import { keepChanged, readText } from './kept-file.ts';
import type { Machine } from './machine.ts';
import { putApplianceAside, readAppliance, writeAppliance } from './settings/appliance-file.ts';
import { checkSettings } from './settings/check.ts';
import { forCheck, mergeSettings, type Settings } from './settings/merge.ts';

const SECRET = { mode: 0o600 };

/**
 * Does what the provisioning file asks for, where there is one. It is checked as a whole first: with anything wrong
 * nothing is done, and all of it is told in a file beside it. Each step may be repeated, and the file goes last, so that a
 * power cut at any instant only means that the next boot does it again.
 */
export function provision(machine: Machine): void {
  const { log } = machine;
  const partition = new BootPartition(machine);
  const given = partition.read();
  if (!given) return;
  const text = readPlainText(given.bytes);
  const plan = isProblem(text) ? { problems: [text] } : makePlan(machine, text);
  if ('problems' in plan) {
    const { problems } = plan;
    const lines = isProblem(text) ? [] : text.lines;
    partition.leaveErrors(errorsText(given.name, problems.slice(0, MAX_PROBLEMS), lines));
    log.warn('provisioning_refused', {
      file: given.name,
      problems: problems.map(({ code, path, line }) => ({ code, path, line })),
    });
    return;
  }
  grant(machine, plan);
  if (!isKept(machine)) {
    log.warn('provisioned_for_now', { file: given.name });
    return;
  }
  partition.wipe(given.name);
  log.info('provisioned', { named: Object.keys(plan.wish) });
}

/** Where the data partition cannot be used, all is forgotten at power off: then the file has to stay for the next boot. */
function isKept({ places }: Machine): boolean {
  const state = readText(join(places.root, 'run/aivoice-boot/data'))?.trim();
  return state === undefined || ['ok', 'repaired'].includes(state);
}

interface Plan {
  readonly wish: Wish;
  /** `undefined`: a file that is no TOML. */
  readonly before: Settings | undefined;
  readonly settings: Settings;
}

/** The template under the right name, say, with nothing filled in. */
const NOTHING: Problem = {
  code: 'CONFIG_EMPTY',
  said: {
    ja: '設定が 1 つもありません。必要な行の先頭の # を消してください',
    en: 'nothing is set. Take the # off the lines that you need',
  },
};

function makePlan(machine: Machine, text: Parameters<typeof readToml>[0]): Plan | { problems: Problem[] } {
  const toml = readToml(text);
  if (toml.problems.length === 0 && Object.keys(toml.raw).length === 0) return { problems: [NOTHING] };
  const { wish, problems: own } = readWish(toml);
  const before = readAppliance(machine.places);
  const settings = mergeSettings(before ?? {}, wish);
  const checked = checkSettings(machine, toml, forCheck(settings, wish), forCheck(before ?? {}, {}));
  const told = new Set(own.map(({ path }) => path));
  const problems = [
    ...toml.problems,
    ...own,
    ...checked.filter(({ path }) => path === undefined || !told.has(path)),
  ];
  return problems.length > 0 ? { problems } : { wish, before, settings };
}

function grant(machine: Machine, { wish, before, settings }: Plan): void {
  const { places, log } = machine;
  if (wish.wifi)
    keepChanged(join(places.connections, 'aivoice-wifi.nmconnection'), keyfileOf(wish.wifi), SECRET);
  if (wish.endpoint !== undefined)
    keepChanged(join(places.settings, 'endpoint'), `${wish.endpoint}\n`, SECRET);
  if (wish.voiceToken !== undefined)
    keepChanged(join(places.settings, 'voice-token'), `${wish.voiceToken}\n`, SECRET);
  if (wish.sshKeys) {
    // sshd reads it as the owner.
    keepChanged(join(places.sshKeys, 'owner.authorized_keys'), `${wish.sshKeys.join('\n')}\n`, {
      mode: 0o644,
    });
  }
  if (!before) {
    log.warn('settings_put_aside', {});
    putApplianceAside(places);
  }
  // One that says the same already keeps the comments of whoever wrote it.
  if (stringify(before ?? {}) !== stringify(settings)) writeAppliance(places, settings);
  new HostSettings(places.host).grant(wish);
}
