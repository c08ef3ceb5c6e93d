import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import packageJson from '../../../package.json' with { type: 'json' };
import { buildRelease } from '../../release/builder.ts';
import { ended, Host, type Run } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';
import { littleTree, type TreeFile } from '../../release/little-tree.ts';
import { COMMAND } from '../aivoice.ts';

const { version } = packageJson;

test('the appliance of before tells why an update was undone, until somebody has taken note of it', async () => {
  using key = new SigningKey();
  await using host = new Host({ key, factory: { version, files: realTree() } });
  await host.boot();
  assert.equal(await host.serving(), version);
  const ready = await status(host);
  assert.deepEqual([ready.release.from, ready.release.undone], ['factory', null]);
  // An older one, since it has fewer parts than the one that runs: of a newer one each part would be missed.
  const bad = host.file(await buildRelease({ version: '0.0.1', key, behaves: 'wrong' }));
  const { code, stderr } = await aivoice(host, 'update', bad, '--downgrade');
  assert.equal(code, 5, stderr);
  assert.match(stderr, /^UPDATE_UNDONE: /m);
  const { state, release, parts } = await status(host);
  assert.equal(state, 'degraded');
  assert.deepEqual(
    [release.version, release.undone.version, release.undone.back],
    [version, '0.0.1', version],
  );
  assert.equal(release.undone.check, 'call');
  assert.equal(parts.find(({ name }: { name: string }) => name === 'release').code, 'UPDATE_UNDONE');
  assert.match((await aivoice(host, 'status')).stdout, /0\.0\.1 was undone .*call of a tool/);
  assert.match((await aivoice(host, 'releases')).stdout, /0\.0\.1/);
  assert.equal((await aivoice(host, 'releases', '--acknowledge')).code, 0);
  for (let n = 0; n < 100 && (await status(host)).release.undone; n++);
  const after = await status(host);
  assert.deepEqual([after.release.undone, after.state], [null, ready.state]);
  assert.equal((await aivoice(host, 'rollback')).code, 7);
});

function aivoice(host: Host, ...args: readonly string[]): Promise<Run> {
  const program = join(host.root, 'opt/aivoice/bin/aivoice');
  return ended(
    spawn(program, args, { cwd: host.root, env: host.systemd.env, stdio: ['pipe', 'pipe', 'pipe'] }),
  );
}

async function status(host: Host) {
  return JSON.parse((await aivoice(host, 'status', '--json')).stdout);
}

/** A release of what is bundled now, with the Node that runs this. */
function realTree(): readonly TreeFile[] {
  const dist = dirname(COMMAND);
  const files = globSync('**/*.{js,json}', { cwd: dist, exclude: ['cache/**'] });
  const bundled = files.map((name) => ({
    path: `dist/${name}`,
    mode: 0o644,
    bytes: readFileSync(join(dist, name)),
  }));
  return [...littleTree(version).filter(({ path }) => path.startsWith('bin/')), ...bundled];
}
