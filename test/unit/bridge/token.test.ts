import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readToken } from '../../../bridge/token.ts';

function jwt(payload: unknown): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `wss://cloud.example/mcp/?token=${part({ alg: 'ES256' })}.${part(payload)}.c2ln`;
}

test('a JWT says when it ends', () => {
  assert.deepEqual(readToken(jwt({ purpose: 'mcp-endpoint', exp: 1_800_000_000 })), {
    expiresAt: 1_800_000_000_000,
  });
  assert.deepEqual(readToken(jwt({ exp: 0 })), { expiresAt: 0 });
});

test('what is no JWT, or one without a date, says nothing and harms nobody', () => {
  for (const url of [
    'wss://self.hosted/mcp_endpoint/mcp/?token=3Vg%2Bq%2F8%3D',
    'wss://self.hosted/mcp/?token=a.b.c',
    'wss://self.hosted/mcp/?token=..',
    'wss://self.hosted/mcp/?token=',
    'wss://self.hosted/mcp/',
    'not an address',
    '',
    ...[{}, null, 5, 'text', [], { exp: '1800000000' }, { exp: null }, { exp: {} }].map(jwt),
  ])
    assert.deepEqual(readToken(url), {}, url);
});
