import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { Placed, run } from './placed.ts';

const MARK = 'var/lib/aivoice-releases/starting';
const MENDS = 'start --no-block aivoice-mend.service\n';
const PID = '4711';

/** A system with a release in place, and a systemctl that notes what it is asked for. */
class Life extends Placed {
  constructor() {
    super('host');
    this.put('stand-ins/systemctl', `#!/bin/sh\necho "$*" >>'${this.root}/asked'\n`, 0o755);
    this.put('asked', '');
    for (const folder of ['run', `proc/${PID}`]) mkdirSync(join(this.root, folder), { recursive: true });
    this.put('var/lib/aivoice-releases/releases/1.2.0/bin/node', '', 0o755);
    this.put('opt/aivoice/factory/bin/node', '', 0o755);
    this.put(MARK, '');
    symlinkSync('releases/1.2.0', join(this.root, 'var/lib/aivoice-releases/current'));
  }

  runsFrom(release: string): void {
    symlinkSync(join(this.root, release, 'bin/node'), join(this.root, `proc/${PID}/exe`));
  }

  note(what: string, env: Readonly<Record<string, string>> = {}): number | null {
    const PATH = `${join(this.root, 'stand-ins')}:${process.env.PATH}`;
    const own = { PATH, AIVOICE_ROOT: this.root, MAINPID: PID };
    return run(join(this.root, 'opt/aivoice/bin/note-life'), [what], { ...own, ...env }).code;
  }

  get asked(): string {
    return this.text('asked');
  }
}

it('an appliance that is ready takes the mark of its boot away', () => {
  using life = new Life();
  life.runsFrom('var/lib/aivoice-releases/releases/1.2.0');
  for (const _ of [1, 2]) assert.equal(life.note('ready'), 0);
  assert.equal(life.has(MARK), false);
  assert.equal(life.asked, '');
});

it('the factory serves instead of the release in place: that is looked into, and the mark stays', () => {
  using life = new Life();
  life.runsFrom('opt/aivoice/factory');
  assert.equal(life.note('ready'), 0);
  assert.equal(life.has(MARK), true);
  assert.equal(life.asked, MENDS);
});

it('an appliance that dies three times in a boot is looked into, and again ever more seldom, but never no more', () => {
  using life = new Life();
  const looked: number[] = [];
  const die = () => life.note('ended', { SERVICE_RESULT: 'exit-code' });
  for (let count = 1; count <= 35; count++) {
    const before = life.asked;
    assert.equal(die(), 0);
    if (count === 2) assert.equal(life.note('ended', { SERVICE_RESULT: 'success' }), 0);
    if (life.asked !== before) looked.push(count);
  }
  assert.deepEqual(looked, [3, 13, 33]);
  assert.equal(life.asked, MENDS.repeat(3));
  for (const [count, isDue] of [
    [153, true],
    [154, false],
    [233, true],
    [3993, true],
  ] as const) {
    life.put('asked', '');
    life.put('run/aivoice-ends', `${count - 1}\n`);
    assert.equal(die(), 0);
    assert.equal(life.asked !== '', isDue, String(count));
  }
});

it('a count that cannot be read begins anew, and wrong usage is told', () => {
  using life = new Life();
  life.put('run/aivoice-ends', '');
  assert.equal(life.note('ended', { SERVICE_RESULT: 'signal' }), 0);
  assert.equal(life.text('run/aivoice-ends'), '1\n');
  assert.equal(life.note('well'), 64);
});

it('the unit tells of each start and each end, as root and outside of the sandbox', () => {
  using life = new Life();
  const unit = life.text('etc/systemd/system/aivoice.service').split('\n');
  assert.ok(unit.includes('ExecStartPost=-+/opt/aivoice/bin/note-life ready'));
  const ends = unit.filter((line) => line.startsWith('ExecStopPost='));
  assert.equal(
    ends[0],
    'ExecStopPost=-+/opt/aivoice/bin/note-life ended',
    'a log that is slow to keep comes after it',
  );
  assert.equal(ends.length, 2);
});
