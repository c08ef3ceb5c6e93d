import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withRenewed } from '../../../device/reload.ts';
import type { Declaration } from '../../../device/services.ts';

/** `a1 b1 cloud1`: names, each with the key behind it. */
const table = (text: string): Declaration[] =>
  text.split(' ').map((entry) => ({
    name: entry.slice(0, -1),
    key: entry.slice(-1),
    create: () => {
      throw new Error('not created here');
    },
  }));

test('one declaration is renewed, or put where the next table has it, and no other changes', () => {
  const cases: [before: string, next: string, name: string, after: string][] = [
    ['a1 b1 cloud1', 'a2 b2 cloud2', 'b', 'a1 b2 cloud1'],
    ['a1 b1 cloud1', 'a2 b2 x1 cloud2', 'x', 'a1 b1 x1 cloud1'],
    ['a1 b1 cloud1', 'x1 a2 b2 cloud2', 'x', 'x1 a1 b1 cloud1'],
    ['a1 b1 cloud1', 'a2 y1 x1 cloud2', 'x', 'a1 x1 b1 cloud1'],
    ['a1 b1 cloud1', 'a2 cloud2', 'b', 'a1 b1 cloud1'],
    ['a1 b1 cloud1', 'a2 b2 cloud2', 'cloud', 'a1 b1 cloud2'],
    ['a1 b1 cloud1', 'a2 b2 cloud2', 'settings', 'a1 b1 cloud1'],
  ];
  for (const [before, next, name, after] of cases) {
    const renewed = withRenewed(table(before), table(next), name);
    assert.equal(
      renewed.map(({ name, key }) => name + key).join(' '),
      after,
      `${before} | ${next} | ${name}`,
    );
  }
});
