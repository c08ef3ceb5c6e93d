import assert from 'node:assert/strict';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { Placed, run } from './placed.ts';

const LOGS = 'var/log/aivoice';
const OLD = new Date(0);

/** A system whose journal holds a line; keeps the log of a unit in it. */
class Journal extends Placed {
  constructor() {
    super('host');
    this.put('stand-ins/journalctl', '#!/bin/sh\necho "asked: $*"\n', 0o755);
  }

  keep(unit: string, env: Readonly<Record<string, string>> = {}): void {
    const PATH = `${join(this.root, 'stand-ins')}:${process.env.PATH}`;
    const { code, text } = run(join(this.root, 'opt/aivoice/bin/keep-log'), [unit], {
      PATH,
      AIVOICE_ROOT: this.root,
      ...env,
    });
    assert.equal(code, 0, text);
  }

  get kept(): string[] {
    return this.has(LOGS) ? readdirSync(join(this.root, LOGS)).sort() : [];
  }

  /** As if all that is kept had been kept long ago. */
  age(): void {
    for (const name of this.kept) utimesSync(join(this.root, LOGS, name), OLD, OLD);
  }
}

it('the last 200 lines of a unit that failed are kept, and not for everybody', () => {
  using journal = new Journal();
  journal.keep('aivoice-guard.service');
  const [name = ''] = journal.kept;
  assert.match(name, /^aivoice-guard\.service-\d{8}T\d{6}Z\.log$/);
  assert.match(journal.text(join(LOGS, name)), /--unit=aivoice-guard\.service --lines=200/);
  assert.equal(journal.mode(join(LOGS, name)), '640');
});

it('a unit that was stopped in good order leaves nothing', () => {
  using journal = new Journal();
  journal.keep('aivoice.service', { SERVICE_RESULT: 'success' });
  assert.deepEqual(journal.kept, []);
  journal.keep('aivoice.service', { SERVICE_RESULT: 'watchdog' });
  assert.equal(journal.kept.length, 1);
});

it('a unit that fails without end writes once in a while, and others still have their turn', () => {
  using journal = new Journal();
  for (let failure = 0; failure < 5; failure += 1)
    journal.keep('aivoice.service', { SERVICE_RESULT: 'exit-code' });
  assert.equal(journal.kept.length, 1);
  journal.keep('aivoice-watch.service');
  assert.equal(journal.kept.length, 2);
});

it('the newest twenty files stay', () => {
  using journal = new Journal();
  for (let count = 0; count < 25; count += 1)
    journal.put(join(LOGS, `aivoice.service-old-${count}.log`), 'old\n');
  journal.age();
  journal.keep('aivoice.service');
  assert.equal(journal.kept.length, 20);
  assert.equal(journal.kept.filter((name) => !name.includes('old')).length, 1);
});

it('lines without end fill the card', () => {
  using journal = new Journal();
  journal.put('stand-ins/journalctl', '#!/bin/sh\nhead -c 9000000 /dev/zero | tr "\\0" x; echo end\n', 0o755);
  journal.keep('aivoice.service');
  const [name = ''] = journal.kept;
  const text = journal.text(join(LOGS, name));
  assert.equal(text.length, 256 * 1024);
  assert.match(text, /xend\n$/);
});

it('a clock that went back keeps every later failure from being kept', () => {
  using journal = new Journal();
  journal.put(join(LOGS, 'aivoice.service-20991231T000000Z.log'), 'old\n');
  const future = new Date('2099-12-31');
  utimesSync(join(journal.root, LOGS, 'aivoice.service-20991231T000000Z.log'), future, future);
  journal.keep('aivoice.service');
  assert.equal(journal.kept.length, 2);
  journal.keep('aivoice.service');
  assert.equal(journal.kept.length, 2);
});

it('the clock is waited for no longer than it takes, and no longer than allowed', () => {
  using host = new Placed('host');
  const wait = join(host.root, 'opt/aivoice/bin/wait-for-clock');
  const late = run(wait, ['1'], { AIVOICE_ROOT: host.root });
  assert.deepEqual(late, { code: 0, text: 'clock: not set within 1 s, going on with the saved time\n' });
  host.put('run/systemd/timesync/synchronized', '');
  const set = run(wait, ['600'], { AIVOICE_ROOT: host.root });
  assert.deepEqual(set, { code: 0, text: 'clock: set from the network\n' });
});
