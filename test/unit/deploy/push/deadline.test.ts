import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const DEPLOY = join(import.meta.dirname, '..', '..', '..', '..', 'deploy');

/** A number as a source has it, by its name; its unit is in there. */
function numberOf(file: string, name: string): number {
  const [, digits] =
    new RegExp(`\\b${name} ?= ?([\\d_]+)`).exec(readFileSync(join(DEPLOY, file), 'utf8')) ?? [];
  assert.ok(digits, `${file} has no ${name}`);
  return Number(digits.replaceAll('_', ''));
}

const secondsOf = (file: string, name: string) => numberOf(`install/${file}`, name) / 1000;

test('a deploy waits for the verdict of an installer under which everything goes as slowly as it may', () => {
  const ask = secondsOf('proof/appliance-line.ts', 'ASK_MS');
  const call = secondsOf('proof/appliance-line.ts', 'CALL_MS');
  const restart = secondsOf('proof/unit.ts', 'RESTART_MS') + secondsOf('proof/unit.ts', 'ASK_MS');
  const trial =
    secondsOf('proof/trial.ts', 'INSTALLER_MS') +
    secondsOf('proof/trial.ts', 'READY_MS') +
    secondsOf('proof/trial.ts', 'STOP_MS') +
    ask;
  const gate =
    numberOf('install/arguments.ts', 'GATE_S') +
    ask +
    numberOf('install/proof/call.ts', 'CALL_TRIES') * (ask + call);
  const back = restart + secondsOf('undo.ts', 'BACK_MS') + ask;
  // How the appliance is before; the trial; the switch; back to the last good release; then to that of the factory.
  const all = 3 * ask + trial + restart + gate + back + back;
  const verdict = numberOf('push/host.sh', 'VERDICT_S');
  // Checking and unpacking on a slow card have no limit of their own: minutes.
  assert.ok(verdict >= all + 240, `${verdict} s for ${all} s`);
  const busy = numberOf('push/host.sh', 'BUSY_S') * numberOf('push/host.sh', 'BUSY_LOOKS');
  assert.ok(busy >= verdict, 'what a broken connection left is waited for as long');
});
