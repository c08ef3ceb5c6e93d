import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelLine } from '../../image/machine.ts';

test("the image's own kernel line is kept, but for its consoles", () => {
  const line = kernelLine('console=tty0 root=PARTUUID=61697665-02 ro console=ttyS0,115200 rootwait\n');
  assert.match(line, /^root=PARTUUID=61697665-02 ro rootwait console=ttyAMA0 /);
  assert.equal(line.match(/console=/g)?.length, 1);
});
