import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Desk } from './desk.ts';
import { noAnsible, play, playbook } from './playbook.ts';
import { sshd } from './prerequisite.ts';
import { Owner, startHost } from './ssh-host.ts';

const skip = noAnsible || sshd().skip;
const EXAMPLE = join(import.meta.dirname, '..', '..', '..', 'deploy', 'fleet', 'inventory.example.yml');

describe('the playbook for fleets', { skip }, () => {
  it('brings a release to hosts without Python, and shows the verdict of each', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using first = await startHost(owner);
    await using second = await startHost(owner);
    desk.release();

    const { code, stdout } = await play(desk, [first, second]);

    assert.equal(code, 0, stdout);
    for (const host of [first, second]) {
      assert.notEqual(host.read('serves'), '');
      assert.match(stdout, new RegExp(`"msg": "${userInfo().username}@127\\.0\\.0\\.1 ok 2\\.0\\.0`));
    }
  });

  it('ends at the first failure, with the hosts of later batches untouched', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using first = await startHost(owner);
    await using second = await startHost(owner);
    first.write('behaviour.json', JSON.stringify({ exit: 5, says: 'UPDATE_UNDONE: back again' }));
    const release = desk.release(1000, '別の 名前.tar.zst');

    const { code, stdout } = await play(desk, [first, second], { aivoice_release: release });

    assert.notEqual(code, 0);
    assert.match(stdout, /"msg": "\S+ failed UPDATE_UNDONE back again"/);
    assert.deepEqual(second.calls, []);
  });

  it('goes on as far as max_fail_percentage allows, with the options it is given', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using first = await startHost(owner);
    await using second = await startHost(owner);
    first.write('behaviour.json', JSON.stringify({ exit: 5, says: 'UPDATE_UNDONE: back again' }));
    desk.release();

    const { code, stdout } = await play(desk, [first, second], {
      aivoice_serial: 2,
      aivoice_max_fail_percentage: 50,
      aivoice_options: ['--downgrade'],
    });

    assert.notEqual(code, 0);
    assert.match(second.calls.at(-1) ?? '', /^apply \S+ --downgrade/, stdout);
    assert.notEqual(second.read('serves'), '');
  });

  it('reads the inventory that is given as an example', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    const { code, stdout } = await playbook(desk, ['-i', EXAMPLE, '--list-hosts']);
    assert.equal(code, 0);
    assert.match(stdout, /hosts \(3\)/);
  });
});
