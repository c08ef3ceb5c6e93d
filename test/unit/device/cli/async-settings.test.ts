import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asyncSettings } from '../../../../device/cli/async-settings.ts';

const own = { PATH: '/usr/bin:/bin', HOME: '/home/me', SHELL: '/bin/bash', SECRET: 'x', LANG: 'C' };

function read(variables: Record<string, string>) {
  return asyncSettings({
    variables: { ...own, MCP_TARGET_SERVER: 'sh -c x', ...variables },
    cwd: '/',
    execPath: '/usr/bin/node',
    uid: 1000,
  });
}

test('the target gets PATH, HOME and SHELL, what MCP_ENV names, and nothing else', () => {
  const { PATH, HOME, SHELL } = own;
  assert.deepEqual(read({}), {
    command: 'sh',
    args: ['-c', 'x'],
    env: { PATH, HOME, SHELL },
    cwd: '/',
    waitMs: 1000,
  });
  assert.deepEqual(read({ MCP_ENV: 'SECRET PATH=$PATH:/opt' }).env, {
    PATH: `${PATH}:/opt`,
    HOME,
    SHELL,
    SECRET: 'x',
  });
});

test('the working folder is that of the host unless MCP_WORKDIR names one that exists', () => {
  assert.equal(read({ MCP_WORKDIR: 'usr/bin' }).cwd, '/usr/bin');
  for (const MCP_WORKDIR of ['/no/such/folder', '/bin/sh', 'a\u0000b'])
    assert.throws(() => read({ MCP_WORKDIR }), {
      code: 'CONFIG_INVALID',
      message: /^MCP_WORKDIR, character 1: /,
    });
});

test('MCP_TIMEOUT_MS is whole milliseconds; 0 is a wait too', () => {
  for (const [given, waitMs] of [
    ['', 1000],
    ['0', 0],
    ['250', 250],
    ['5 ', 5],
    ['2147483647', 2147483647],
  ] as const)
    assert.equal(read({ MCP_TIMEOUT_MS: given }).waitMs, waitMs, given);
  for (const [given, place] of [
    ['-1', 1],
    ['soon', 1],
    ['1e3', 2],
    ['1.5', 2],
    ['5 s', 2],
    ['2147483648', 1],
  ] as const) {
    const message = new RegExp(`^MCP_TIMEOUT_MS, character ${place}: `);
    assert.throws(() => read({ MCP_TIMEOUT_MS: given }), { code: 'CONFIG_INVALID', message }, given);
  }
});

test('a command that is missing or not to be found is a slip of MCP_TARGET_SERVER', () => {
  for (const [MCP_TARGET_SERVER, what] of [
    ['', 'expected'],
    ['no-such-command --flag', 'command not found: no-such-command'],
  ] as const) {
    const message = new RegExp(`^MCP_TARGET_SERVER, character 1: ${what}`);
    assert.throws(() => read({ MCP_TARGET_SERVER }), { code: 'CONFIG_INVALID', message });
  }
});
