#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Entry of `dist/aivoice.js`. V8's compiled code is kept in the cache folder that systemd hands to the unit (the trial of a
 * release fills it), or of a checkout in `dist/cache`, where that can be written: a cold start then spends no time on
 * compiling. Before anything else is loaded, and not from source. Node 20 has no such cache.
 */
const folder = dirname(fileURLToPath(import.meta.url));
const cache = import.meta.url.endsWith('.ts') ? undefined : cacheFolder();
if (cache !== undefined) module.enableCompileCache?.(cache);

void import('./process.ts');

/** One for each version, so that the old release finds its own again. None where a release in place would be written to. */
function cacheFolder(): string | undefined {
  // biome-ignore lint/style/noProcessEnv: what reads it for everybody else is not to be compiled before this.
  const [given = ''] = (process.env.CACHE_DIRECTORY ?? '').split(':');
  if (isAbsolute(given)) return join(given, versionOf());
  return existsSync(join(folder, '..', 'manifest.json')) ? undefined : join(folder, 'cache');
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
