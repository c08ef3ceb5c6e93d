#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Entry of `dist/aivoice.js`. V8's compiled code is kept in the cache folder that systemd hands to the unit (a release
 * warms it when it is installed), else in `dist/cache`, where that can be written: a cold start then spends no time on
 * compiling. Before anything else is loaded, and not from source. Node 20 has no such cache.
 */
const folder = dirname(fileURLToPath(import.meta.url));
if (!import.meta.url.endsWith('.ts')) module.enableCompileCache?.(cacheFolder());

void import('./process.ts');

/** One for each version, so that the old release finds its own again. */
function cacheFolder(): string {
  // biome-ignore lint/style/noProcessEnv: what reads it for everybody else is not to be compiled before this.
  const [given = ''] = (process.env.CACHE_DIRECTORY ?? '').split(':');
  return isAbsolute(given) ? join(given, versionOf()) : join(folder, 'cache');
}

function versionOf(): string {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (/^\w[\w.+-]*$/.test(version)) return version;
  } catch {
    // The name of the release has to do.
  }
  return basename(dirname(folder));
}
