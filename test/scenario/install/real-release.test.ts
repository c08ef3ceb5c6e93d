import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';
import { runProgram } from '../program.ts';

const RELEASE = join(import.meta.dirname, '..', '..', '..', 'deploy', 'release', 'main.ts');
const BUILD_MS = 180_000;

describe('the release that ships', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-release-'));
  let key: SigningKey;
  before(async () => {
    key = new SigningKey();
    for (const version of ['1.1.0', '1.2.0']) await build(version);
  });
  after(() => {
    key[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  async function build(version: string): Promise<void> {
    const options = [
      '--key',
      key.file,
      '--arch',
      process.arch,
      '--version',
      version,
      '--level',
      '1',
      '--to',
      folder,
    ];
    const env = { PATH: process.env.PATH ?? '', HOME: folder };
    const place = { cwd: folder, env };
    const { code, stderr } = await runProgram(
      [RELEASE, ...options, '--dirty', '--without-wake-word'],
      place,
      BUILD_MS,
    );
    assert.equal(code, 0, stderr);
  }

  const fileOf = (version: string) => join(folder, `aivoice-${version}-${process.arch}.tar.zst`);

  test('takes the place of the factory, of the one before it, and gives it back', async (t) => {
    await using host = new Host({ key });
    await host.boot();
    const own = host.belongings();
    for (const version of ['1.1.0', '1.2.0']) {
      const { code, stdout, stderr } = await host.install('apply', fileOf(version), '--json');
      assert.equal(code, 0, stderr);
      assert.equal(await host.serving(), version);
      const { silentMs } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      t.diagnostic(`${version}: silent for ${silentMs} ms`);
    }
    assert.match(await call(host), /329312/);
    assert.equal((await host.install('rollback')).code, 0);
    assert.equal(await host.serving(), '1.1.0');
    assert.match(await call(host), /329312/);
    const again = await host.install('apply', fileOf('1.2.0'));
    assert.equal(again.code, 0, 'what stands in the store already is used as it is');
    assert.equal(await host.serving(), '1.2.0');
    assert.equal(host.belongings(), own);
    assert.deepEqual(readdirSync(join(host.root, 'var/cache/aivoice')).toSorted(), ['1.1.0', '1.2.0']);
    for (const version of ['1.1.0', '1.2.0'])
      assert.ok(
        !readdirSync(join(host.store, 'releases', version, 'dist')).includes('cache'),
        'a tree is never written to',
      );
  });
});

async function call(host: Host): Promise<string> {
  const program = join(host.root, 'opt/aivoice/bin/aivoice');
  const env = { ...host.systemd.env, RUNTIME_DIRECTORY: join(host.root, 'run/aivoice') };
  const { stdout } = await promisify(execFile)(program, ['call', 'calculate', '{"expression":"1004*328"}'], {
    env,
  });
  return stdout;
}
