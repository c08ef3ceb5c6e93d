import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InstalledRoot, IS_ROOT } from './root.ts';

const KEYS = {
  MCP_ENDPOINT: 'wss://x/?token=CANARYtOk3n',
  OPENAI_API_KEY: 'CANARYtOk3n',
  https_proxy: 'http://127.0.0.1:9/',
};

describe('root, on an installed appliance', { concurrency: 2, skip: !IS_ROOT && 'needs root' }, () => {
  it('has the installer do it, which knows no key, and ends as the installer ends', async () => {
    using place = new InstalledRoot();
    for (const [code, args, expected] of [
      [0, ['update', 'a file.tar.zst'], ['apply', 'a file.tar.zst']],
      [
        4,
        ['update', '--json', 'x', '--downgrade', '--again'],
        ['apply', '--json', 'x', '--downgrade', '--again'],
      ],
      [5, ['update', '--', '--odd'], ['apply', '--', '--odd']],
      [7, ['rollback', '--json'], ['rollback', '--json']],
      [0, ['releases', '--acknowledge'], ['acknowledge']],
      [1, ['releases', '--json'], ['releases', '--json']],
    ] as const) {
      place.wish({ code });
      const output = await place.run('root', args, { env: KEYS });
      assert.deepEqual([output.code, output.stderr], [code, 'the installer speaks\n']);
      const told = JSON.parse(output.stdout);
      assert.deepEqual(told.args, expected);
      assert.deepEqual([told.env.AIVOICE_LANGUAGE, told.env.https_proxy], ['en', KEYS.https_proxy]);
      assert.doesNotMatch(output.stdout, /CANARY/);
    }
    assert.equal(place.asked, '');
  });

  it('who ends an update asks the installer to end, and waits for its order', async () => {
    using place = new InstalledRoot();
    place.wish({ stay: true });
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      await using command = place.start('root', ['update', 'x']);
      await command.stdout.expect('the installer', (text) => text.includes('apply'), 5000);
      command.child.kill(signal);
      const { code, stdout } = await command.output();
      assert.equal(code, 5);
      assert.match(stdout, /in order\n$/);
    }
  });
});

it('anybody may look at the releases, without sudo', async () => {
  using place = new InstalledRoot();
  const { code, stdout } = await place.run('owner', ['releases']);
  assert.deepEqual([code, JSON.parse(stdout).args], [0, ['releases']]);
  assert.equal(place.asked, '');
});
