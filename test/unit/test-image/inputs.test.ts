import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint, shipped } from '../../image/inputs.ts';

const UNIT = { name: 'deploy/systemd/a.service', isProgram: false, sha256: '00' };
const SCRIPT = { name: 'deploy/a.sh', isProgram: true, sha256: '01' };

test('the order in which files are found changes nothing', () => {
  assert.equal(fingerprint([UNIT, SCRIPT], ['a', 'b']), fingerprint([SCRIPT, UNIT], ['b', 'a']));
});

test('a name, a mode, a text or a package that changes is another hash', () => {
  const first = fingerprint([UNIT], ['a']);
  for (const change of [{ name: 'deploy/b' }, { isProgram: true }, { sha256: '02' }]) {
    assert.notEqual(fingerprint([{ ...UNIT, ...change }], ['a']), first);
  }
  assert.notEqual(fingerprint([UNIT], ['b']), first);
});

test('tools of developers are not among the packages that ship', () => {
  const lock = {
    packages: {
      '': { name: 'aivoice-edge' },
      'node_modules/ws': { integrity: 'sha512-x' },
      'node_modules/knip': { dev: true, integrity: 'sha512-y' },
    },
  };
  assert.deepEqual(shipped(JSON.stringify(lock)), ['node_modules/ws sha512-x']);
});
