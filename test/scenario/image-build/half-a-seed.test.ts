import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FirstMoments } from './first-moments.ts';

const STATE = 'root/data/state';
const SETTINGS = `${STATE}/etc/aivoice`;

function firstBoot(): FirstMoments {
  const moments = new FirstMoments();
  moments.put('root/etc/aivoice/first', '1\n');
  moments.put('root/etc/aivoice/second', '2\n');
  return moments;
}

it('what the image brings for the data partition is there after the first boot, and is kept', () => {
  using moments = firstBoot();
  assert.equal(moments.keepState(), '');
  assert.equal(moments.text(`${SETTINGS}/second`), '2\n');
  assert.match(moments.text('mounts'), /bind .*data\/state\/etc\/aivoice /);
  assert.equal(moments.text('boot/data'), 'ok\n');
  moments.put(`${SETTINGS}/second`, 'changed\n');
  moments.keepState();
  assert.equal(moments.text(`${SETTINGS}/second`), 'changed\n');
});

/** What the system does in the middle of it; shell. */
const FAILURES = {
  cp: ['the copy runs out of room', 'for to; do :; done; mkdir -p "$to"; echo 1 >"$to/first"; exit 1'],
  sync: ['what was copied cannot be made last', 'exit 1'],
  mv: ['the copy cannot be put in place', 'exit 1'],
} as const;

for (const [program, [what, script]] of Object.entries(FAILURES))
  it(`half of what the image brings stays for good where ${what}`, () => {
    using moments = firstBoot();
    moments.standIn(program, script);
    assert.match(moments.keepState(), /^3 \/etc\/aivoice is not kept/m);
    assert.equal(moments.has(SETTINGS), false);
    assert.equal(moments.has(`${STATE}/.seed/new`), false, 'no leaving takes the room of the next try');
    assert.doesNotMatch(moments.text('mounts'), /data\/state\/etc\/aivoice /);
    assert.equal(moments.text('boot/data'), 'partly\n');
    moments.remove(`stand-ins/${program}`);
    moments.put('boot/data', 'ok\n');
    assert.equal(moments.keepState(), '');
    assert.equal(moments.text(`${SETTINGS}/second`), '2\n');
  });

it('a provisioning file is wiped though a folder that it fills is forgotten at power off', () => {
  using moments = firstBoot();
  moments.standIn('mount', 'case "$*" in *state/etc/ssh/keys*) exit 1 ;; esac');
  assert.match(moments.keepState(), /^3 \/etc\/ssh\/keys is not kept/m);
  assert.equal(moments.text('boot/data'), 'partly\n');
});
