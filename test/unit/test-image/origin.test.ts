import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { output } from '../../image/execute.ts';
import { hashOfInputs } from '../../image/inputs.ts';
import { otherThanHere, partsIn } from '../../image/origin.ts';

const FILES: Readonly<Record<string, string>> = {
  'package-lock.json': '{"packages":{}}',
  'deploy/install/main.ts': "import { a } from '#kernel/a.ts';\n",
  'device/kernel/a.ts': "export { b as a } from './b.ts';\n",
  'device/kernel/b.ts': 'export const b = 1;\n',
  'device/voice/turn.ts': 'export const turn = 1;\n',
  'test/image/board.ts': '',
};

/** A checkout with one commit, whose name it resolves with. */
async function checkout(context: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'aivoice-origin-'));
  context.after(() => rmSync(root, { recursive: true }));
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  for (const [name, text] of Object.entries(FILES)) put(name, text);
  const git = (...args: readonly string[]) =>
    output('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args]);
  await git('init', '-q');
  await git('add', '.');
  await git('commit', '-q', '-m', 'first');
  const commit = (await git('rev-parse', 'HEAD')).trim();
  return { root, put, parts: [{ name: 'the image', commit }] };
}

test('an image of the files that are checked out proves them, whatever else has changed', async (context) => {
  const { root, put, parts } = await checkout(context);
  put('device/voice/turn.ts', 'export const turn = 2;\n');
  put('test/image/board.ts', '// another\n');
  assert.equal(await otherThanHere(root, parts), undefined);
});

test('files that were never in the image that was booted are not certified', async (context) => {
  const { root, put, parts } = await checkout(context);
  put('device/kernel/b.ts', 'export const b = 2;\n');
  assert.match((await otherThanHere(root, parts)) ?? '', /since when device\/kernel\/b.ts changed/);
  put('device/kernel/b.ts', FILES['device/kernel/b.ts'] ?? '');
  put('deploy/install/new.ts', '');
  assert.match((await otherThanHere(root, parts)) ?? '', /no commit has deploy\/install\/new.ts/);
});

test('an image of a dirty or unknown commit certifies nothing', async (context) => {
  const { root, parts } = await checkout(context);
  for (const commit of [`${parts[0]?.commit}-dirty`, '', '0'.repeat(40)])
    assert.match((await otherThanHere(root, [{ name: 'it', commit }])) ?? '', /^it is of/, commit);
});

test('code of the kernel that the installer is made of changes the hash, the assistant does not', async (context) => {
  const { root, put } = await checkout(context);
  const before = hashOfInputs(root);
  put('device/voice/turn.ts', 'export const turn = 2;\n');
  assert.equal(hashOfInputs(root), before);
  put('device/kernel/b.ts', 'export const b = 2;\n');
  assert.notEqual(hashOfInputs(root), before);
});

test('an image and its factory release tell their commits', () => {
  const told = '"commit":"aa"\n"commit": "bb-dirty"\n';
  assert.deepEqual(
    partsIn(told).map(({ commit }) => commit),
    ['aa', 'bb-dirty'],
  );
});
