import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Desk } from './desk.ts';
import { sshd } from './prerequisite.ts';
import { Owner, startHost } from './ssh-host.ts';

const { skip } = sshd();

describe('a deploy from an odd desk', { skip }, () => {
  for (const [what, line] of [
    ['is on a full disk', 'exec "$@" 2>/dev/full'],
    ['is closed', 'exec "$@" 2>&-'],
    ['has lost its reader', '{ "$@" 2>&1 >&3 | true; exit "$PIPESTATUS"; } 3>&1'],
  ] as const)
    it(`a finished update is not called failed because stderr ${what}`, async () => {
      using owner = new Owner();
      using desk = new Desk(owner);
      await using first = await startHost(owner);
      await using second = await startHost(owner);

      const args = ['--release', desk.release(), '--canary', '1', first.name, second.name];
      await using deployment = desk.deployBy(line, {}, ...args);
      const { code, lines } = await deployment.verdict();

      assert.deepEqual(
        lines.map((each) => each.split(' ').slice(1, 3)),
        [
          ['ok', '2.0.0'],
          ['ok', '2.0.0'],
        ],
        lines.join('\n'),
      );
      assert.equal(code, 0);
    });
});
