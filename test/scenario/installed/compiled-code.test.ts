import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import packageJson from '../../../package.json' with { type: 'json' };
import { aivoice, COMMAND } from '../aivoice.ts';
import { Home } from '../home.ts';

it('compiled code is kept in the cache folder of the unit, one folder a version, and nothing beside the bundle', async () => {
  using home = new Home();
  const bundle = join(home.folder, 'releases', '7.8.9', 'dist');
  cpSync(dirname(COMMAND), bundle, { recursive: true });
  rmSync(join(bundle, 'cache'), { recursive: true, force: true });
  const cache = join(home.folder, 'cache');
  mkdirSync(cache);
  const place = { file: join(bundle, 'aivoice.js'), env: { CACHE_DIRECTORY: `${cache}:/elsewhere` } };
  assert.equal((await aivoice(home, ['version'], place)).code, 0);
  assert.deepEqual(readdirSync(cache), [packageJson.version]);
  assert.notDeepEqual(readdirSync(join(cache, packageJson.version)), []);
  assert.equal(readdirSync(bundle).includes('cache'), false);
  // Root asks as well, who has no such folder; a release in place is not written to.
  writeFileSync(join(bundle, '..', 'manifest.json'), '{}');
  assert.equal((await aivoice(home, ['version'], { file: place.file })).code, 0);
  assert.equal(readdirSync(bundle).includes('cache'), false);
  // A bundle that does not say its version has the name of its release.
  rmSync(join(bundle, 'package.json'));
  await aivoice(home, ['version'], place);
  assert.deepEqual(readdirSync(cache).sort(), [packageJson.version, '7.8.9']);
});
