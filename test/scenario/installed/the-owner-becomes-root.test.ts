import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { IS_ROOT } from './root.ts';

const LAUNCHER = join(import.meta.dirname, '../../../deploy/install/launchers/aivoice');

/** A release that says where it runs and what it was told. */
const SAYS = '#!/bin/sh\npwd\nfor word; do printf "%s\\n" "$word"; done\n';

describe('sudo for the command line of an appliance', { skip: !IS_ROOT && 'needs root' }, () => {
  it('starts no program of whoever calls it, and no verb that it does not know', () => {
    using place = new Place();
    for (const args of [
      ['run', '--config', 'appliance.toml'],
      ['bridge', '--', 'sh'],
      ['async'],
      ['something-newer'],
      ['--', 'run'],
    ]) {
      const { code, stdout, stderr } = place.call('sudo', args);
      assert.deepEqual([code, stdout], [64, ''], args.join(' '));
      assert.match(stderr, /^NOT_BY_SUDO: /);
      assert.equal(place.call('root', args).code, 0, 'the unit runs it as ever');
    }
  });

  it('reads no settings but those of the appliance', () => {
    using place = new Place();
    for (const args of [
      ['check', '/etc/shadow'],
      ['show', '--config', '/etc/shadow'],
      ['show', '--config=/etc/shadow'],
      ['check', 'mcp_settings.json'],
    ]) {
      const { code, stdout, stderr } = place.call('sudo', ['config', ...args]);
      assert.deepEqual([code, stdout], [64, ''], args.join(' '));
      assert.match(stderr, /^NOT_BY_SUDO: /);
    }
    for (const args of [
      ['config', 'show', '--json'],
      ['config', 'check'],
      ['config', 'path', '--config', join(place.root, 'etc/aivoice/appliance.toml')],
    ]) {
      const { code, stdout } = place.call('sudo', args);
      assert.deepEqual(
        [code, stdout],
        [0, `/\n${args.join('\n')}\n`],
        'away from files of the working folder',
      );
    }
  });

  it('asks the appliance and the installer, about a file of the working folder too', () => {
    using place = new Place();
    for (const args of [
      ['status', '--json'],
      ['call', 'echo', '{"text": "run"}'],
      ['update', 'aivoice-0.2.0-arm64.tar.zst'],
      ['logs', '-f'],
      ['--version'],
    ]) {
      const { code, stdout } = place.call('sudo', args);
      assert.deepEqual([code, stdout], [0, `${place.root}\n${args.join('\n')}\n`]);
    }
  });
});

/** A root folder with the launcher and a factory release. */
class Place implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'aivoice-launcher-'));

  constructor() {
    const bin = join(this.root, 'opt/aivoice/factory/bin');
    mkdirSync(bin, { recursive: true });
    for (const name of ['aivoice', 'node']) writeFileSync(join(bin, name), SAYS, { mode: 0o755 });
    cpSync(LAUNCHER, join(this.root, 'aivoice'));
    chmodSync(join(this.root, 'aivoice'), 0o755);
  }

  /** As sudo calls it for its owner, or as the unit and root's own shell do. */
  call(who: 'sudo' | 'root', args: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(join(this.root, 'aivoice'), args, {
      cwd: this.root,
      env: {
        PATH: '/usr/bin:/bin',
        AIVOICE_ROOT: this.root,
        ...(who === 'sudo' && { SUDO_UID: '1000', SUDO_USER: 'owner' }),
      },
      encoding: 'utf8',
      timeout: 30_000,
    });
    return { code: status, stdout, stderr };
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
