import { accessSync, constants, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Language, sentence } from '#kernel/codes.ts';
import { errnoOf, Fault } from '#kernel/fault.ts';
import { applianceCandidates, findAppliance, loadAppliance, MACHINE_FILE } from '../config/appliance.ts';
import { resolveLanguage } from '../config/environment.ts';
import { loadConfig, secretsOf } from '../config/load.ts';
import { nearest } from '../config/nearest.ts';
import { findPlaces, rootOf } from '../config/places.ts';
import { formatProblems, hasErrors, type Problem } from '../config/problem.ts';
import { redactor } from '../config/secrets.ts';
import { loadServers, serverCandidates } from '../config/servers.ts';
import { readArguments } from './arguments.ts';
import { mayBecomeRoot, runAsRoot } from './as-root.ts';
import { showAsJson, showAsToml } from './config-show.ts';
import type { CliContext } from './context.ts';
import { DONE, SETTINGS_WRONG } from './failure.ts';
import { type Phrase, say } from './phrase.ts';

const USAGE = {
  ja: `aivoice config check [FILE] | show [--json] | path [--config FILE]
  check  設定の誤りをすべて示します。FILE を書くとそのファイルだけを確かめます
  show   いま有効な設定を、鍵を伏せて appliance.toml の形（--json で JSON）で出します
  path   設定ファイルを探す場所と、使われるものを示します
  --config FILE  使う appliance.toml
  終了コード: 0 誤りなし、2 設定に誤りがある、64 書き方の誤り
  例: aivoice config check mcp_settings.json`,
  en: `aivoice config check [FILE] | show [--json] | path [--config FILE]
  check  reports all that is wrong with the settings; with FILE it looks at that file alone
  show   prints the settings in effect without their keys, as an appliance.toml (--json: as JSON)
  path   says where settings files are looked for, and which ones are used
  --config FILE  the appliance.toml to use
  Exit code: 0 nothing is wrong, 2 the settings are wrong, 64 wrong usage
  Example: aivoice config check mcp_settings.json`,
};

const VERBS = ['check', 'show', 'path'];

interface Flags {
  readonly config?: string;
  readonly json?: boolean;
}

/**
 * The verb `config`: `check` reports every problem, `show` prints the settings in effect without their secrets,
 * `path` says which files are used. Exit codes: 0, 2 (settings wrong), 64 (wrong usage).
 */
export async function configVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const options = { config: { type: 'string' }, json: { type: 'boolean' } } as const;
  const given = await readArguments(context, args, { usage: USAGE, options, most: 2 });
  if (!given) return DONE;
  const [name, file] = given.positionals;
  if (VERBS.includes(name ?? '') && file === undefined && isOfRoot(context, given.values))
    return await runAsRoot(context, ['config', ...args]);
  if (name === 'check') return check(context, file, given.values);
  if (file !== undefined) throw new Fault('USAGE', `unexpected: ${file}`);
  if (name === 'show') return show(context, given.values);
  if (name === 'path') return path(context, given.values);
  const near = nearest(name ?? '', VERBS);
  const expected = near ? `did you mean ${near}?` : `expected ${VERBS.join(', ')}`;
  throw new Fault('USAGE', name === undefined ? expected : `no verb config ${name}; ${expected}`);
}

/** What counts here is the file of an installed appliance, which its owner may not read: it holds keys. */
function isOfRoot(context: CliContext, { config }: Flags): boolean {
  const { environment } = context;
  const machine = join(rootOf(environment), MACHINE_FILE);
  const used = findAppliance({ environment, config });
  // In a folder that is closed to us a file cannot even be found.
  if (!mayBecomeRoot(context) || (used !== undefined && used !== machine)) return false;
  try {
    accessSync(machine, constants.R_OK);
    return false;
  } catch (error) {
    return errnoOf(error) === 'EACCES';
  }
}

async function check(context: CliContext, file: string | undefined, flags: Flags): Promise<number> {
  const { problems, files, language, secrets } = await examine(context, file, flags);
  const hide = redactor(secrets);
  context.stdout(hide(formatProblems(problems, language)));
  if (hasErrors(problems)) return SETTINGS_WRONG;
  context.stdout(`${verdict(problems.length, language)}\n${files.map((name) => `  ${name}\n`).join('')}`);
  return DONE;
}

function verdict(warnings: number, language: Language): string {
  if (warnings === 0) return `OK: ${sentence('CONFIG_OK', language)}`;
  const en = `OK, with ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  return say({ ja: `OK（警告 ${warnings} 件）`, en }, language);
}

interface Findings {
  readonly problems: readonly Problem[];
  readonly files: readonly string[];
  readonly language: Language;
  readonly secrets: readonly string[];
}

/** One file where one is named, by its ending; all settings as `run` would load them otherwise. */
async function examine(
  { environment }: CliContext,
  file: string | undefined,
  flags: Flags,
): Promise<Findings> {
  if (file === undefined) {
    const config = await loadConfig({ environment, flags: { config: flags.config }, verb: 'run' });
    return { ...config, secrets: secretsOf(config) };
  }
  const files = [resolve(environment.cwd, file)];
  if (/\.toml$/i.test(file)) {
    const { settings, problems } = await loadAppliance({ environment, config: file });
    const language = resolveLanguage(settings.language, environment);
    const { url } = settings.endpoint;
    const secrets = secretsOf({ settings, servers: [], ...(url === undefined ? {} : { endpoint: url }) });
    return { problems, files, language, secrets };
  }
  const { servers, problems } = await loadServers({ environment, verb: 'bridge', argument: file });
  return { problems, files, language: resolveLanguage('auto', environment), secrets: secretsOf({ servers }) };
}

async function show(context: CliContext, flags: Flags): Promise<number> {
  const { environment } = context;
  const config = await loadConfig({ environment, flags: { config: flags.config }, verb: 'run' });
  const hide = redactor(secretsOf(config));
  context.stderr(hide(formatProblems(config.problems, config.language)));
  context.stdout(hide(flags.json ? showAsJson(config) : showAsToml(config)));
  return hasErrors(config.problems) ? SETTINGS_WRONG : DONE;
}

const WORDS = {
  used: { ja: '使用', en: 'used' },
  there: { ja: '不使用', en: 'not used' },
  absent: { ja: 'なし', en: 'absent' },
} satisfies Record<string, Phrase>;

async function path(context: CliContext, flags: Flags): Promise<number> {
  const { environment } = context;
  const appliance = await loadAppliance({ environment, config: flags.config });
  const language = resolveLanguage(appliance.settings.language, environment);
  const places = findPlaces(environment);
  const lists = {
    'appliance.toml': applianceCandidates({ environment, config: flags.config }),
    'mcp_settings.json': serverCandidates({
      environment,
      verb: 'run',
      appliance: appliance.file,
      settings: appliance.settings,
    }),
  };
  for (const [name, candidates] of Object.entries(lists)) {
    let found = false;
    for (const candidate of candidates) {
      const full = resolve(environment.cwd, candidate.path);
      const there = existsSync(full);
      const state = !there ? 'absent' : found ? 'there' : 'used';
      found ||= there || candidate.named;
      context.stdout(`${name}: ${full} (${candidate.source}): ${say(WORDS[state], language)}\n`);
    }
  }
  context.stdout(`state: ${places.state}\nsocket: ${places.socket}\n`);
  return DONE;
}
