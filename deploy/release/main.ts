/**
 * `npm run release`: makes signed releases, one for each kind of processor. Prints a line for each. Exit code 0: they
 * are made; 1: one cannot be, for the reason on stderr; 64: wrong usage.
 */
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { valid } from 'semver';
import product from '../../package.json' with { type: 'json' };
import { DEFAULT_LEVEL } from './archive.ts';
import { buildReleases } from './build.ts';
import { CHECKOUT, originOf } from './checkout.ts';
import { ARCHS, type Arch } from './manifest.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { makeKey, usualKey } from './signing.ts';
import { USAGE } from './usage.ts';
import { say, sayAtLength } from './words.ts';

/** Characters in a version; an appliance takes no longer one. */
const MAX_VERSION = 64;

async function main(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { values } = read(args);
  if (values.help) return void process.stdout.write(sayAtLength(USAGE));
  const key = resolve(values.key ?? usualKey());
  if (values['new-key']) {
    const line = makeKey(key);
    const signers = join(dirname(key), 'allowed_signers');
    const made = {
      ja: `${key}（秘密にして、なくさないでください）と ${key}.pub を作りました`,
      en: `made ${key} (keep it secret and safe) and ${key}.pub`,
    };
    const trust = {
      ja: `${signers} を作りました。機器では /opt/aivoice/allowed_signers になります:`,
      en: `made ${signers}, which appliances have as /opt/aivoice/allowed_signers:`,
    };
    console.log(`${say(made)}\n${say(trust)}\n${line.trim()}`);
    return;
  }
  const wish = {
    archs: archsOf(values.arch),
    version: versionOf(values.version ?? product.version),
    level: levelOf(values.level ?? String(DEFAULT_LEVEL)),
  };
  const releases = await buildReleases({
    ...wish,
    origin: originOf({ dirty: values.dirty ?? false }),
    key,
    wakeWord: !values['without-wake-word'],
    to: resolve(values.to ?? join(CHECKOUT, 'build')),
    signal,
  });
  for (const { file, size, sha256 } of releases) {
    console.log(`${file}  ${(size / 1e6).toFixed(1)} MB  sha256 ${sha256}`);
  }
}

function read(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        arch: { type: 'string' },
        version: { type: 'string' },
        key: { type: 'string' },
        level: { type: 'string' },
        to: { type: 'string' },
        'new-key': { type: 'boolean' },
        'without-wake-word': { type: 'boolean' },
        dirty: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new Refusal('USAGE', (error as Error).message);
  }
}

function archsOf(text: string | undefined): readonly Arch[] {
  const archs = ARCHS.filter((arch) => text === undefined || arch === text);
  if (archs.length === 0) throw new Refusal('USAGE', `--arch: expected ${ARCHS.join(' or ')}, got ${text}`);
  return archs;
}

function versionOf(text: string): string {
  if (valid(text) === text && text.length <= MAX_VERSION) return text;
  const expected = `expected one like 1.2.3 of at most ${MAX_VERSION} characters`;
  throw new Refusal('USAGE', `--version: ${expected}, got ${text}`);
}

function levelOf(text: string): number {
  const level = Number(text);
  if (Number.isInteger(level) && level >= 1 && level <= 19) return level;
  throw new Refusal('USAGE', `--level: expected 1 to 19, got ${text}`);
}

const givenUp = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => givenUp.abort());
try {
  await main(process.argv.slice(2), givenUp.signal);
} catch (error) {
  if (givenUp.signal.aborted) process.exit(1);
  const refusal = refusalOf(error);
  if (!(refusal instanceof Refusal)) throw error;
  const isUsage = refusal.code === 'USAGE';
  process.stderr.write(`${refusal.line}\n${isUsage ? `\n${sayAtLength(USAGE)}` : ''}`);
  process.exitCode = isUsage ? 64 : 1;
}
