import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { systemClock } from '#kernel/clock.ts';
import { output } from '../../image/execute.ts';
import { GOES_ON, Site, skip } from './site.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const OTHER = 'd'.repeat(40);

/** A machine that has built a root of its own checkout, and keeps it. */
class Keeper extends Site {
  #release = '';

  static async start(daysOld = 0): Promise<Keeper> {
    const site = new Keeper();
    await site.ownTree();
    site.rootMade(new Date(systemClock.wall() - daysOld * DAY_MS - DAY_MS / 2));
    site.#release = await site.release('named.tar.zst', OTHER);
    assert.match(await site.again(), GOES_ON);
    return site;
  }

  /** What another build says. */
  async again(...args: readonly string[]): Promise<string> {
    return (await this.build('--release', this.#release, ...args)).said;
  }

  change(name: string, from: string, to: string): void {
    const text = readFileSync(this.path(`tree/deploy/image/${name}`), 'utf8');
    assert.ok(text.includes(from), `${name} has no ${from}`);
    this.put(`tree/deploy/image/${name}`, text.replaceAll(from, to));
  }
}

describe('a root that was kept', { skip }, () => {
  it('is taken again, also where only a comment of what it is made with has changed', async () => {
    using site = await Keeper.start();
    for (const name of ['settings.sh', 'apt.sh'])
      appendFileSync(site.path(`tree/deploy/image/${name}`), '# a comment\n');
    site.change('apt.sh', '  local suite\n', '  local suite # one of them\n');
    const said = await site.again();
    assert.doesNotMatch(said, GOES_ON);
    assert.match(said, /^image: boards$/m);
  });

  const CHANGES: Readonly<Record<string, (site: Keeper) => void>> = {
    'of another suite': (site) => site.change('settings.sh', 'SUITE=trixie', 'SUITE=forky'),
    'of fewer suites': (site) => site.change('settings.sh', '(trixie trixie-updates', '(trixie'),
    'of other components': (site) => site.change('apt.sh', 'main non-free-firmware', 'main'),
    'from another mirror': (site) => {
      site.archive = 'archive/20260101T000000Z';
    },
  };
  for (const [what, change] of Object.entries(CHANGES))
    it(`is taken for one that is to be ${what}`, async () => {
      using site = await Keeper.start();
      change(site);
      assert.match(await site.again(), GOES_ON);
    });

  it('gets older without a word', async () => {
    using young = await Keeper.start(14);
    assert.doesNotMatch(await young.again(), /days old/);
    using old = await Keeper.start(15);
    const said = await old.again();
    assert.doesNotMatch(said, GOES_ON);
    assert.match(said, /^image: \d{4}-\d\d-\d\d: .*the packages are 15 days old: --fresh asks/m);
    old.rootMade(new Date(systemClock.wall()));
    assert.doesNotMatch(await old.again('--fresh'), /days old/);
  });
});

it('an image of files that differ from the commit says that it is of the commit', { skip }, async () => {
  using site = await Keeper.start();
  const head = (await output('git', ['-C', site.path('tree'), 'rev-parse', 'HEAD'])).trim();
  assert.equal(readFileSync(site.path('commit'), 'utf8'), head);
  site.put('tree/deploy/another.sh', '');
  await site.again('--fresh');
  assert.equal(readFileSync(site.path('commit'), 'utf8'), `${head}-dirty`);
});
