import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Language, sentence } from '#kernel/codes.ts';
import { messageOf } from '#kernel/fault.ts';
import { applianceCandidates, loadAppliance } from '../config/appliance.ts';
import { resolveLanguage } from '../config/environment.ts';
import { loadConfig, secretsOf } from '../config/load.ts';
import { nearest } from '../config/nearest.ts';
import { findPlaces } from '../config/places.ts';
import { formatProblems, hasErrors, type Problem } from '../config/problem.ts';
import { redactor } from '../config/secrets.ts';
import { loadServers, serverCandidates } from '../config/servers.ts';
import { showAsJson, showAsToml } from './config-show.ts';
import type { CliContext } from './context.ts';

const USAGE = `aivoice config check [FILE]     # aivoice config check mcp_settings.json
aivoice config show [--json]    # aivoice config show
aivoice config path             # aivoice config path
--config FILE                   # the appliance.toml to use
`;

interface Flags {
  readonly config?: string | undefined;
  readonly json: boolean;
}

/**
 * The verb `config`: `check` reports every problem, `show` prints the settings in effect without their secrets,
 * `path` says which files are used. Returns the exit code: 0, 2 (settings wrong) or 64 (wrong usage).
 */
export async function configVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const command = commandOf(args);
  if ('slip' in command) return refuse(context, command.slip);
  const { name, rest, flags } = command;
  if (name === 'help') {
    context.stdout(USAGE);
    return 0;
  }
  if (name === 'check' && rest.length <= 1) return check(context, rest[0], flags);
  if (rest.length > 0) return refuse(context, `unexpected: ${rest.join(' ')}`);
  if (name === 'show') return show(context, flags);
  return path(context, flags);
}

type Command =
  | { readonly name: string; readonly rest: string[]; readonly flags: Flags }
  | { readonly slip: string };

function commandOf(args: readonly string[]): Command {
  const options = {
    config: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [name = '', ...rest] = positionals;
    if (values.help) return { name: 'help', rest, flags: values };
    const verbs = ['check', 'show', 'path'];
    if (verbs.includes(name)) return { name, rest, flags: values };
    const near = nearest(name, verbs);
    return {
      slip: near
        ? `${name}: did you mean "${near}"?`
        : `expected ${verbs.join(', ')}, got ${name || 'nothing'}`,
    };
  } catch (error) {
    return { slip: messageOf(error) };
  }
}

function refuse({ environment, stderr }: CliContext, slip: string): number {
  stderr(`USAGE: ${slip}\n${sentence('USAGE', resolveLanguage('auto', environment))}\n${USAGE}`);
  return 64;
}

async function check(context: CliContext, file: string | undefined, flags: Flags): Promise<number> {
  const { problems, files, language, secrets } = await examine(context, file, flags);
  const hide = redactor(secrets);
  context.stdout(hide(formatProblems(problems, language)));
  if (hasErrors(problems)) return 2;
  context.stdout(`OK: ${sentence('CONFIG_OK', language)}\n${files.map((name) => `  ${name}\n`).join('')}`);
  return 0;
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
    return { problems, files, language, secrets: secretsOf({ ...endpointIn(settings), servers: [] }) };
  }
  const { servers, problems } = await loadServers({ environment, verb: 'bridge', argument: file });
  return { problems, files, language: resolveLanguage('auto', environment), secrets: secretsOf({ servers }) };
}

function endpointIn({ endpoint }: Awaited<ReturnType<typeof loadAppliance>>['settings']) {
  return endpoint.url === undefined ? {} : { endpoint: endpoint.url };
}

async function show(context: CliContext, flags: Flags): Promise<number> {
  const { environment } = context;
  const config = await loadConfig({ environment, flags: { config: flags.config }, verb: 'run' });
  const hide = redactor(secretsOf(config));
  context.stderr(hide(formatProblems(config.problems, config.language)));
  context.stdout(hide(flags.json ? showAsJson(config) : showAsToml(config)));
  return hasErrors(config.problems) ? 2 : 0;
}

const WORDS = {
  used: { ja: '使用', en: 'used' },
  there: { ja: '不使用', en: 'not used' },
  absent: { ja: 'なし', en: 'absent' },
} as const;

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
      const { ja, en } = WORDS[state];
      const word = language === 'both' ? `${ja} / ${en}` : { ja, en }[language];
      context.stdout(`${name}: ${full} (${candidate.source}): ${word}\n`);
    }
  }
  context.stdout(`state: ${places.state}\nsocket: ${places.socket}\n`);
  return 0;
}
