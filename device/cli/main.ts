#!/usr/bin/env node
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Entry of `dist/aivoice.js`. V8's compiled code is kept in `dist/cache`, where that can be written (a release warms it
 * when it is installed): a cold start then spends no time on compiling. Before anything else is loaded, and not from
 * source. Node 20 has no such cache.
 */
const folder = dirname(fileURLToPath(import.meta.url));
if (!import.meta.url.endsWith('.ts')) module.enableCompileCache?.(join(folder, 'cache'));

void import('./process.ts');
