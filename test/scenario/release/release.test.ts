import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { plugTerminal } from '../../terminal/plug.ts';
import { aivoice, Command } from '../aivoice.ts';
import { Home } from '../home.ts';
import { ARCH, type Built, buildOne, ROOT, VERSION } from './built.ts';
import { releaseNeeds } from './needs.ts';

describe('a release', { skip: releaseNeeds() }, () => {
  let built: Built;
  before(async () => {
    built = await buildOne();
  });
  after(() => built?.[Symbol.dispose]());

  it('is told truly by its manifest: every file, its mode, size and hash, and no other file', () => {
    const { manifest, tree } = built;
    const told = manifest.files.map(({ path }) => path);
    const found = globSync('**/*', { cwd: tree, withFileTypes: true }).filter(
      (entry) => !entry.isDirectory(),
    );
    const paths = found.map(({ parentPath, name }) => join(parentPath, name).slice(tree.length + 1));
    assert.deepEqual(paths.toSorted(), [...told, 'manifest.json', 'manifest.sig'].toSorted());
    for (const { path, mode, size, sha256 } of manifest.files) {
      const { mode: real, size: bytes } = statSync(join(tree, path));
      assert.deepEqual([mode, size], [real & 0o777, bytes], path);
      assert.equal(
        createHash('sha256')
          .update(readFileSync(join(tree, path)))
          .digest('hex'),
        sha256,
        path,
      );
    }
    const { version, arch, node, commit } = manifest;
    const pinned = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).optionalDependencies;
    assert.deepEqual([version, arch, node], [VERSION, ARCH, pinned[`node-linux-${ARCH}`]]);
    assert.match(commit, /^[0-9a-f]{40}(-dirty)?$/);
  });

  it('is a tar of plain files of root, manifest and signature first, the rest in order', () => {
    const listing = execFileSync('tar', ['--numeric-owner', '-tvf', built.tar], { encoding: 'utf8' });
    const lines = listing.trim().split('\n');
    for (const line of lines) assert.match(line, /^-rw(-r--r--|xr-xr-x) 0\/0 /);
    const names = lines.map((line) => line.split(/\s+/).at(-1) as string);
    assert.deepEqual(names.slice(0, 2), ['manifest.json', 'manifest.sig']);
    assert.deepEqual(
      names.slice(2),
      built.manifest.files.map(({ path }) => path),
    );
  });

  it('has its sha256 beside it', () => {
    const sum = readFileSync(`${built.file}.sha256`, 'utf8');
    const hash = createHash('sha256').update(readFileSync(built.file)).digest('hex');
    assert.equal(sum, `${hash}  ${basename(built.file)}\n`);
  });

  it('is signed for its key and for nothing but a release; a changed byte is noticed', () => {
    const manifest = readFileSync(join(built.tree, 'manifest.json'));
    assert.equal(verify(built, manifest), 0);
    assert.notEqual(verify(built, Buffer.from(manifest.toString().replace(VERSION, '9.8.8'))), 0);
    assert.notEqual(verify(built, manifest, 'file'), 0);
  });

  it('holds binaries of one processor only, and of its C library', () => {
    const machine = { x64: 62, arm64: 183 }[ARCH as 'x64' | 'arm64'];
    const binaries = built.manifest.files.filter(({ path }) => {
      const head = readFileSync(join(built.tree, path)).subarray(0, 20);
      if (!head.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1'))) return false;
      assert.equal(head.readUInt16LE(18), machine, path);
      return true;
    });
    assert.deepEqual(binaries.map(({ path }) => basename(path)).toSorted(), [
      '@serialport+bindings-cpp.glibc.node',
      'libonnxruntime.so.1',
      'node',
      'onnxruntime_binding.node',
    ]);
    for (const { path } of built.manifest.files)
      assert.doesNotMatch(path, /musl|\/(darwin|win32|android)[^/]*\//);
  });

  it('brings a licence for every package in it, for Node and for the wake words', () => {
    const licences = built.manifest.files.filter(({ path }) => path.startsWith('licences/'));
    for (const file of globSync('node_modules/**/package.json', { cwd: built.tree })) {
      const { name, version } = JSON.parse(readFileSync(join(built.tree, file), 'utf8'));
      if (name === undefined) continue; // it only says how the files beside it are to be read
      assert.ok(
        licences.some(({ path }) => path === `licences/${name}-${version}.txt`),
        name,
      );
    }
    // Of the bundle, where no folder shows it.
    for (const bundled of ['ws', 'zod', 'mathjs', 'libopus-wasm', 'node'])
      assert.ok(
        licences.some(({ path }) => path.startsWith(`licences/${bundled}-`)),
        bundled,
      );
    const wake = readFileSync(join(built.tree, 'licences', 'wake-words.txt'), 'utf8');
    assert.match(wake, /CC BY-NC-SA 4\.0/);
    assert.ok(licences.every(({ size }) => size > 200));
  });

  it('brings source maps that lead back to the sources and to nowhere on the machine that made it', () => {
    const map = JSON.parse(readFileSync(join(built.tree, 'dist', 'aivoice.js.map'), 'utf8'));
    assert.ok(map.sources.includes('../device/cli/main.ts'));
    for (const file of globSync('dist/**/*.{js,map}', { cwd: built.tree })) {
      const text = readFileSync(join(built.tree, file), 'utf8');
      assert.ok(!text.includes(`${ROOT}/`), `${file} names the folder of the checkout`);
    }
  });

  it('runs with the Node that it brings, through any link, and says its version', async () => {
    using home = new Home();
    const link = join(home.folder, 'aivoice');
    symlinkSync(join(built.tree, 'bin', 'aivoice'), link);
    const { code, stdout } = await aivoice(home, ['version'], { node: '', file: link, cwd: '/' });
    assert.deepEqual([code, stdout], [0, `aivoice ${VERSION} (Node ${built.manifest.node})\n`]);
  });

  it('also runs for somebody whose folder was removed, where Node alone does not start', () => {
    using home = new Home();
    const gone = join(home.folder, 'gone');
    const program = join(built.tree, 'bin', 'aivoice');
    const script = 'mkdir "$1" && cd "$1" && rmdir "$1" && exec "$2" version';
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', gone, program], {
      encoding: 'utf8',
      timeout: 30_000,
    });
    assert.equal(status, 0, stderr);
    assert.equal(stdout, `aivoice ${VERSION} (Node ${built.manifest.node})\n`);
  });

  it('serves: tools answer, the terminal is linked, the models of speech and wake word are loaded', async () => {
    using home = new Home();
    await using terminal = await plugTerminal();
    home.write(
      'appliance.toml',
      `voice = { url = "ws://127.0.0.1:9/", token = "none" }
      audio = { wake_word = "alexa" }
      terminal = { port = "${terminal.path}" }`,
    );
    const how = { node: '', file: join(built.tree, 'bin', 'aivoice') };
    await using running = new Command(home, ['run'], how);
    for (const part of ['calculator', 'files', 'everyday', 'hearing', 'terminal']) {
      await running.stderr.expect(part, isReady(part), 20_000);
    }
    const { stdout } = await aivoice(home, ['call', 'calculate', '{"expression":"1004*328"}'], how);
    assert.match(stdout, /329312/);
    running.child.kill('SIGTERM');
    const { code } = await running.output();
    assert.equal(code, 0);
  });

  it('is the same bytes when it is built again from the same files', async () => {
    const again = await built.again();
    assert.ok(readFileSync(built.file).equals(readFileSync(again)));
  });
});

/** The exit code of what an appliance asks of the signature. */
function verify({ key, tree }: Built, manifest: Buffer, namespace = 'aivoice-release'): number | null {
  const signers = join(dirname(key), 'allowed_signers');
  const signature = join(tree, 'manifest.sig');
  const args = ['-Y', 'verify', '-f', signers, '-I', 'aivoice-release', '-n', namespace, '-s', signature];
  return spawnSync('ssh-keygen', args, { input: manifest }).status;
}

function isReady(part: string): (text: string) => boolean {
  const line = new RegExp(`"service":"${part}","event":"ready"`);
  return (text) => line.test(text);
}
