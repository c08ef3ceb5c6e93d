import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { PROMISES } from '../promises.ts';

const SCENARIOS = join(import.meta.dirname, '..', 'scenario');

/** A test up to its first statement, where that says what it proves. */
const PROOF = /\b(?:it|test)\((?:(?!\b(?:it|test)\()[\s\S])*?=> \{\n\s+proves\(([^)]*)\);/g;

const files = globSync('**/*.test.ts', { cwd: SCENARIOS });
const texts = files.map((file) => readFileSync(join(SCENARIOS, file), 'utf8'));
const proofs = texts.flatMap(proofsIn);

function proofsIn(text: string): RegExpExecArray[] {
  return [...text.matchAll(PROOF)];
}

it('every promise of the README is proved by a test of a scenario', () => {
  const cited = new Set(
    proofs.flatMap(([, ids = '']) => [...ids.matchAll(/'([^']+)'/g)].map(([, id]) => id)),
  );
  const uncited = Object.keys(PROMISES).filter((id) => !cited.has(id));
  assert.deepEqual(uncited, []);
});

it('what is proved is said at the begin of a test, and nowhere else', () => {
  const stray = files.filter((_file, index) => {
    const text = texts[index] ?? '';
    return [...text.matchAll(/\bproves\(/g)].length !== proofsIn(text).length;
  });
  assert.deepEqual(stray, []);
});

it('a test that proves something is skipped only for what continuous integration has to have', () => {
  const skipped = proofs.filter(([head]) => /\bskip\b|\btodo\b/.test(head));
  const excused = skipped.filter(({ input, 0: head }) => {
    const [, prerequisite = ''] = /skip: (\w+)\.skip/.exec(head) ?? [];
    return input.includes(`const ${prerequisite} = forProof(`);
  });
  assert.deepEqual(
    skipped.map(([head]) => head),
    excused.map(([head]) => head),
  );
  assert.doesNotMatch(texts.join('\n'), /\b(?:it|test|suite|describe)\.(?:skip|todo|only)\(/);
});
