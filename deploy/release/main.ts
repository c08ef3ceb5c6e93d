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
import { Refusal } from './refusal.ts';
import { makeKey, usualKey } from './signing.ts';

const USAGE = `npm run release -- [options]     makes build/aivoice-<version>-<arch>.tar.zst, signed
  --arch arm64|x64       this one only (default: both)
  --version V            version of the release (default: ${product.version}, of package.json)
  --key FILE             private key (default: $AIVOICE_RELEASE_KEY, else ~/.config/aivoice/release-key)
  --level N              of zstd, 1 to 19 (default ${DEFAULT_LEVEL}; 19 for a release to publish: 12 % smaller, takes two minutes)
  --without-wake-word    leaves out the wake words (their licence forbids commercial use)
  --dirty                also from files that differ from the commit; the release then says so
  --to FOLDER            where it is put (default: build)
npm run release -- --new-key [--key FILE]
                         makes the key, and allowed_signers beside it for the appliances
`;

class WrongUsage extends Error {}

async function main(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { values } = read(args);
  if (values.help) return void process.stdout.write(USAGE);
  const key = resolve(values.key ?? usualKey());
  if (values['new-key']) {
    const line = makeKey(key);
    console.log(`made ${key} (keep it secret and safe) and ${key}.pub`);
    console.log(
      `made ${join(dirname(key), 'allowed_signers')}, which appliances have as /opt/aivoice/allowed_signers:\n${line.trim()}`,
    );
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
    throw new WrongUsage((error as Error).message);
  }
}

function archsOf(text: string | undefined): readonly Arch[] {
  const archs = ARCHS.filter((arch) => text === undefined || arch === text);
  if (archs.length === 0) throw new WrongUsage(`--arch: expected ${ARCHS.join(' or ')}, got ${text}`);
  return archs;
}

function versionOf(text: string): string {
  if (valid(text) !== text) throw new WrongUsage(`--version: expected one like 1.2.3, got ${text}`);
  return text;
}

function levelOf(text: string): number {
  const level = Number(text);
  if (Number.isInteger(level) && level >= 1 && level <= 19) return level;
  throw new WrongUsage(`--level: expected 1 to 19, got ${text}`);
}

const givenUp = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => givenUp.abort());
try {
  await main(process.argv.slice(2), givenUp.signal);
} catch (error) {
  if (givenUp.signal.aborted) process.exit(1);
  if (error instanceof WrongUsage) {
    process.stderr.write(`${error.message}\n${USAGE}`);
    process.exitCode = 64;
  } else if (error instanceof Refusal) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } else throw error;
}
