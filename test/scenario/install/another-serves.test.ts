import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { buildRelease } from '../../release/builder.ts';
import type { Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';
import { littleTree } from '../../release/little-tree.ts';
import { hostWithThree, tree, withNode } from './three-releases.ts';

const RESTART = 'restart aivoice.service';

describe('the Node of the release in place did not run for a moment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-trouble-'));
  const trouble = join(folder, 'trouble');
  const isTrouble = `[ -e '${trouble}' ]`;
  let key: SigningKey;
  before(() => {
    key = new SigningKey();
  });
  beforeEach(() => rmSync(trouble, { force: true }));
  after(() => {
    key[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });

  /** Nothing of these versions runs while `trouble` is there. */
  const troubled = (...versions: readonly string[]) => {
    return hostWithThree(key, (version) => {
      const well = littleTree(version);
      return versions.includes(version) ? withNode(well, isTrouble) : well;
    });
  };
  const restarts = (host: Host) => host.systemd.asked.filter((command) => command === RESTART).length;

  /** The factory's serves, and the trouble is over. */
  async function fallenBack(): Promise<Host> {
    const host = troubled('1.2.0');
    writeFileSync(trouble, '');
    await host.boot();
    assert.equal(await host.serving(), '1.0.0');
    rmSync(trouble);
    return host;
  }

  test('the factory took over: the release in place serves again in the same boot', async () => {
    await using host = await fallenBack();
    assert.equal((await host.install('mend')).code, 0);
    assert.equal(await host.serving(), '1.2.0');
    assert.deepEqual([host.link('current'), host.json('undone.json')], ['1.2.0', undefined]);
  });

  test('it is so at every start: one restart a boot is enough', async () => {
    await using host = await fallenBack();
    await host.install('mend');
    writeFileSync(trouble, '');
    await host.systemd.start();
    rmSync(trouble);
    for (const _ of [1, 2]) assert.equal((await host.install('mend')).code, 0);
    assert.equal(await host.serving(), '1.0.0');
    assert.equal(restarts(host), 1);
  });

  test('who installs it again gets it back', async () => {
    await using host = await fallenBack();
    const files = withNode(littleTree('1.2.0'), isTrouble);
    const release = host.file(await buildRelease({ version: '1.2.0', key, files }));
    const { code, stdout, stderr } = await host.install('apply', release);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /is in place already/);
    assert.equal(await host.serving(), '1.2.0');
    writeFileSync(trouble, '');
    await host.systemd.start();
    const again = await host.install('apply', release);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /UPDATE_FAILED.*1\.2\.0 is whole, but 1\.0\.0 answers/);
  });

  test('an installer was killed after it had put another release in place: that one serves', async () => {
    await using host = hostWithThree(key);
    await host.boot();
    for (const name of ['current', 'good', 'previous']) rmSync(join(host.store, name));
    for (const name of ['current', 'good']) symlinkSync('releases/1.1.0', join(host.store, name));
    assert.equal(await host.serving(), '1.2.0');
    assert.equal((await host.install('mend')).code, 0);
    assert.equal(await host.serving(), '1.1.0');
  });

  test('no Node runs for want of memory: nothing is held against a release that is whole', async () => {
    await using host = troubled('1.0.0', '1.1.0', '1.2.0');
    await host.boot();
    writeFileSync(trouble, '');
    const { code, stderr } = await host.install('mend');
    assert.equal(code, 0, stderr);
    assert.deepEqual([host.link('current'), host.json('undone.json')], ['1.2.0', undefined]);
    assert.equal(existsSync(tree(host, '1.2.0')), true);
  });

  test('it alone does not run: another takes its place, but its files are kept, since they are whole', async () => {
    await using host = troubled('1.2.0');
    writeFileSync(trouble, '');
    await host.boot();
    const { code, stderr } = await host.install('mend');
    assert.equal(code, 5, stderr);
    assert.match(stderr, /bin\/node does not run on this system/);
    assert.equal(await host.serving(), '1.1.0');
    assert.equal(existsSync(join(tree(host, '1.2.0'), 'bin/node')), true);
  });

  test('the launcher does not try twice in one breath', async () => {
    // Fails from the first call on, for a second.
    const isYoung = '[ -z "$(find "$AIVOICE_ROOT/first" ! -newermt "1 second ago" 2>/dev/null)" ]';
    const note = '{ [ -e "$AIVOICE_ROOT/first" ] || : >"$AIVOICE_ROOT/first"; }';
    await using host = hostWithThree(key, (version) =>
      version === '1.2.0' ? withNode(littleTree(version), `${note} && ${isYoung}`) : littleTree(version),
    );
    const { stdout } = spawnSync(join(host.root, 'opt/aivoice/bin/aivoice'), ['version'], {
      env: { ...host.systemd.env, RUNTIME_DIRECTORY: join(host.root, 'run/aivoice') },
      encoding: 'utf8',
    });
    assert.equal(stdout, '1.2.0\n');
  });
});
