import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { output } from '../../image/execute.ts';
import { GOES_ON, Site, skip } from './site.ts';
import { IMAGE } from './tiny-image.ts';

const HEAD = (await output('git', ['-C', IMAGE, 'rev-parse', 'HEAD'])).trim();
const OTHER = 'd'.repeat(40);

/** A user that has neither files nor rights. */
const NOBODY = 65_534;
const MAKES = /^npm .*release -- --arch arm64$/;

describe('the factory release of an image', { skip }, () => {
  it('is the newest one where that is of the commit that is checked out', async () => {
    using site = new Site();
    await site.release('build/aivoice-1.0.0-arm64.tar.zst', HEAD);
    const { said, calls } = await site.build();
    assert.deepEqual(calls, [], said);
    assert.match(said, GOES_ON);
    assert.doesNotMatch(said, /anew/);
  });

  for (const [what, commit] of [
    ['another commit', OTHER],
    ['files that differ from the commit', `${HEAD}-dirty`],
  ] as const) {
    it(`is made anew where the newest one is of ${what}, and it says so in one line`, async () => {
      using site = new Site();
      await site.release('build/aivoice-1.0.0-arm64.tar.zst', commit);
      await site.release('made', HEAD);
      const { said, calls } = await site.build();
      assert.equal(calls.length, 1, said);
      assert.match(said, GOES_ON);
      assert.match(calls[0] ?? '', MAKES);
      const lines = said.split('\n').filter((line) => line.includes('made anew'));
      assert.equal(lines.length, 1, said);
      assert.match(lines[0] ?? '', new RegExp(`${commit.slice(0, 12)}.*${HEAD.slice(0, 12)}`));
      assert.equal(lines[0]?.includes('-dirty'), commit.endsWith('-dirty'));
    });
  }

  it('is made where there is none, or none that can be read', async () => {
    using site = new Site();
    await site.release('made', HEAD);
    assert.match((await site.build()).calls[0] ?? '', MAKES);
    site.put('build/aivoice-1.0.1-arm64.tar.zst', 'half of one');
    assert.match((await site.build()).calls[0] ?? '', MAKES);
  });

  it('is the one that is named, whatever its commit, and it says which that is', async () => {
    using site = new Site();
    const file = await site.release('named.tar.zst', OTHER);
    const { said, calls } = await site.build('--release', file);
    assert.deepEqual(calls, [], said);
    assert.match(said, GOES_ON);
    assert.match(said, /named\.tar\.zst is of commit d{12}\n/);
  });

  it('that cannot be made ends the build with the way out', async () => {
    using site = new Site();
    const { said, calls } = await site.build();
    assert.equal(calls.length, 1);
    assert.match(said, /--release FILE/);
  });
});

it('the next npm of who called sudo fails on files of root', { skip }, async () => {
  using site = new Site();
  await site.release('made', HEAD);
  site.standIn('npm', `id -u >>"$CALLS"; exit 1`);
  site.callBySudo(NOBODY);
  const { calls, said } = await site.build();
  assert.deepEqual(calls, [`${NOBODY}`], said);
  assert.equal(
    statSync(site.path('build')).uid,
    NOBODY,
    'what it makes there is its own, also where the build ends',
  );
});

it('only a machine of another kind is asked for the emulator', { skip }, async () => {
  using arm = new Site();
  await arm.release('build/aivoice-1.0.0-arm64.tar.zst', HEAD);
  assert.match((await arm.build()).said, GOES_ON);
  using other = new Site({ machine: 'x86_64' });
  const { said } = await other.build();
  assert.match(said, /apt-get install qemu-user-static binfmt-support\n/);
  assert.doesNotMatch(said, GOES_ON);
});
