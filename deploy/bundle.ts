/**
 * Bundles what ships: `dist/aivoice.js` (every verb of the command line) and one file per built-in server below
 * `dist/servers/`. `--if-stale` does nothing when no source is newer than the last bundle.
 */
import { existsSync, globSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type InlineConfig } from 'tsdown';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'dist', '.stamp');
const sources = ['package.json', 'package-lock.json', '{device,bridge,servers}/**/*.ts', 'deploy/bundle.ts'];
const servers = ['calculator', 'files', 'everyday'];

if (!(process.argv.includes('--if-stale') && isFresh())) {
  await bundle();
}

function isFresh(): boolean {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return globSync(sources, { cwd: root }).every((file) => statSync(join(root, file)).mtimeMs <= built);
}

async function bundle(): Promise<void> {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const shared = {
    cwd: root,
    config: false,
    format: 'esm',
    platform: 'node',
    // Syntax of Node 20, so that `node dist/aivoice.js` also runs on the oldest host that can install us.
    target: 'node20',
    outExtensions: () => ({ js: '.js' }),
    deps: { alwaysBundle: [/.*/], onlyBundle: false },
    // Some packages are only whole in their ES modules: their `main` hides its requires from a bundler.
    inputOptions: { resolve: { mainFields: ['module', 'main'] } },
    sourcemap: true,
    clean: false,
    dts: false,
    logLevel: 'warn',
  } satisfies InlineConfig;
  await build({ ...shared, entry: { aivoice: 'device/cli/main.ts' }, outDir: 'dist' });
  const entries = Object.fromEntries(servers.map((name) => [name, `servers/${name}/main.ts`]));
  await build({ ...shared, entry: entries, outDir: 'dist/servers' });
  linkCommand();
  writeFileSync(stamp, '');
}

/** Makes `npx aivoice` find the bundle of this checkout, without a network and without an install script. */
function linkCommand(): void {
  const bin = join(root, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, 'aivoice'), { force: true });
  symlinkSync('../../dist/aivoice.js', join(bin, 'aivoice'));
}
