import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { PROMISES } from '../promises.ts';

const SCENARIOS = join(import.meta.dirname, '..', 'scenario');

it('every promise of the README is proved by a scenario', () => {
  const cited = new Set<string>();
  for (const file of readdirSync(SCENARIOS).filter((name) => name.endsWith('.test.ts'))) {
    const text = readFileSync(join(SCENARIOS, file), 'utf8');
    for (const [, ids = ''] of text.matchAll(/^proves\(([^)]*)\)/gm)) {
      for (const [, id = ''] of ids.matchAll(/'([^']+)'/g)) cited.add(id);
    }
  }
  const uncited = Object.keys(PROMISES).filter((id) => !cited.has(id));
  assert.deepEqual(uncited, []);
});
