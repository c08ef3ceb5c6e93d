import type { Config } from '../config/load.ts';
import { isSecretKey } from '../config/mask.ts';
import { Secret } from '../config/secrets.ts';
import type { ServerSettings } from '../config/server-settings.ts';

type Plain = Record<string, unknown>;

/** The settings in effect as one JSON object, secrets masked. Fields are only ever added to schema 1. */
export function showAsJson(config: Config): string {
  const servers = config.servers.map(plainServer);
  return `${JSON.stringify({ schema: 1, files: config.files, settings: plainSettings(config), servers }, null, 2)}\n`;
}

/** The settings in effect as they would stand in appliance.toml, secrets masked; the servers below as comments. */
export function showAsToml(config: Config): string {
  const settings = plainSettings(config);
  const entries = Object.entries(settings);
  const top = entries.filter(([, value]) => !isTable(value));
  const tables = entries.filter((entry): entry is [string, Plain] => isTable(entry[1]));
  const lines = [
    ...config.files.map((file) => `# ${file}`),
    ...top.map(assignment),
    ...tables.flatMap(([name, table]) => ['', `[${name}]`, ...Object.entries(table).map(assignment)]),
    '',
    '# mcpServers',
    ...config.servers.map((server) => `# ${JSON.stringify(plainServer(server))}`),
  ];
  return `${lines.join('\n')}\n`;
}

function assignment([key, value]: [string, unknown]): string {
  return `${key} = ${JSON.stringify(value)}`;
}

/** In the words of the file, with the endpoint that is in effect, whatever it comes from. */
function plainSettings({ settings, endpoint }: Config): Plain {
  const { voice } = settings;
  const inEffect = {
    ...settings,
    endpoint: { ...settings.endpoint, url: shown(endpoint) },
    voice: {
      ...voice,
      // It may hold a password or a key.
      activationUrl: voice.activationUrl === '' ? '' : new Secret(voice.activationUrl).masked(),
      url: shown(voice.url),
      token: shown(voice.token),
    },
  };
  return inSnakeCase(inEffect) as Plain;
}

function shown(secret: Secret | undefined): string {
  return secret?.masked() ?? '';
}

function plainServer({ fault, env, headers, url, ...server }: ServerSettings): Plain {
  return {
    ...server,
    env: hideValues(env, isSecretKey),
    ...(url === undefined ? {} : { url: new Secret(url).masked() }),
    ...(headers === undefined ? {} : { headers: hideValues(headers, () => true) }),
    ...(fault === undefined ? {} : { fault: { code: fault.code, message: fault.message } }),
  };
}

function hideValues(values: Readonly<Record<string, string>>, hide: (name: string) => boolean): Plain {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, hide(name) ? '***' : value]),
  );
}

function inSnakeCase(value: unknown): unknown {
  if (!isTable(value)) return value;
  const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [snake(key), inSnakeCase(inner)]));
}

function isTable(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
