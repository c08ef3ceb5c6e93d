import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { command, forProof } from '../prerequisite.ts';
import { DEPLOY, run } from './placed.ts';

const { skip } = forProof(command('shellcheck'));

/** Every script of a shell below deploy/, by its first line. */
function scripts(): string[] {
  return readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(ts|json|example|conf|service)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(
      (path) =>
        path.endsWith('.sh') || /^#!\/(?:usr\/)?bin\/(?:env )?(?:ba)?sh\b/.test(readFileSync(path, 'utf8')),
    );
}

it('shellcheck finds nothing to say about any script of deploy', { skip }, () => {
  const files = scripts();
  assert.ok(files.some((path) => path.endsWith('systemd/place.sh')));
  assert.ok(files.some((path) => path.endsWith('bin/keep-log')));
  assert.deepEqual(run('shellcheck', files), { code: 0, text: '' });
});
