import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { errnoOf, messageOf } from '#kernel/fault.ts';
import { BootPartition, type Given } from './boot-partition.ts';
import { errorsText, notStoredText } from './file/errors-text.ts';
import { isProblem, type PlainText } from './file/plain-text.ts';
import { MAX_PROBLEMS, type Problem } from './file/problem.ts';
import { readWish } from './file/read-wish.ts';
import { shownPath } from './file/shown.ts';
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
  const partition = new BootPartition(machine);
  const given = partition.read();
  if (!given) {
    tellOfTemplate(machine, partition);
    return;
  }
  const plan = planFor(machine, given.text);
  if ('problems' in plan) refuse(machine, partition, given, plan.problems);
  else fulfil(machine, partition, given.name, plan);
}

function refuse(
  { log }: Machine,
  partition: BootPartition,
  { name, text }: Given,
  problems: readonly Problem[],
): void {
  const lines = isProblem(text) ? [] : text.lines;
  partition.leaveErrors(errorsText(name, problems.slice(0, MAX_PROBLEMS), lines));
  log.warn('provisioning_refused', {
    file: name,
    problems: problems.map(({ code, path, line }) => ({ code, path: path && shownPath(path), line })),
  });
}

function fulfil(machine: Machine, partition: BootPartition, name: string, plan: Plan): void {
  const { log } = machine;
  try {
    grant(machine, plan);
  } catch (error) {
    partition.leaveErrors(notStoredText(name, errnoOf(error) || 'INTERNAL'));
    throw error;
  }
  if (!isKept(machine)) {
    log.warn('provisioned_for_now', { file: name });
    return;
  }
  partition.wipe(name);
  log.info('provisioned', { named: Object.keys(plan.wish) });
}

/** Before anything was ever provisioned: somebody filled in the template and left its name. */
function tellOfTemplate(machine: Machine, partition: BootPartition): void {
  if (new HostSettings(machine.places.host).isThere) return;
  const template = partition.readTemplate();
  if (!template) return;
  const { raw, problems } = readToml(template.text);
  if (problems.length > 0 || Object.keys(raw).length > 0) refuse(machine, partition, template, [MISNAMED]);
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

const MISNAMED: Problem = {
  code: 'CONFIG_MISSING',
  said: {
    ja: 'このファイルは見本です。書き込んだら「aivoice.toml」という名前に変えてください',
    en: 'this is the template. Once it is filled in, give it the name aivoice.toml',
  },
};

/** A table of a thousand levels, say: TOML, but nothing that any program could write down again. */
const BEYOND_READING: Problem = {
  code: 'CONFIG_UNREADABLE',
  said: {
    ja: '入れ子が深すぎるなど、扱えない形があります',
    en: 'expected fewer levels of tables within tables',
  },
};

function planFor(machine: Machine, text: Given['text']): Plan | { problems: Problem[] } {
  if (isProblem(text)) return { problems: [text] };
  try {
    return makePlan(machine, text);
  } catch (error) {
    machine.log.error('provisioning_not_judged', { reason: messageOf(error) });
    if (errnoOf(error) !== '') throw error; // It is not the file's fault.
    return { problems: [BEYOND_READING] };
  }
}

function makePlan(machine: Machine, text: PlainText): Plan | { problems: Problem[] } {
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
