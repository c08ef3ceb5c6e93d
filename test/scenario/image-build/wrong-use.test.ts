import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { execute } from '../../image/execute.ts';
import { IMAGE } from './tiny-image.ts';

const HERE = import.meta.filename;

for (const [script, args, says] of [
  ['build.sh', ['--release'], /^image: --release: 値がありません \/ expected a value$/m],
  ['build.sh', ['--release', ''], /^image: --release: 値がありません/m],
  ['build.sh', ['--signers'], /^image: --signers: 値がありません \/ expected a value$/m],
  ['build.sh', ['--foo'], /^image: --foo: 知らない引数です \/ unknown argument$/m],
  ['rewrite-os.sh', [HERE], /イメージとカードの二つ[^\n]*\nExpected two words/],
  ['rewrite-os.sh', [HERE, HERE, '--yes'], /^--yes: 知らない引数です。\n--yes: unknown argument\.$/m],
] as const)
  it(`${script} ${args.map((arg) => (arg === HERE ? 'WORD' : arg)).join(' ')} says what is wrong with it, in both languages`, async () => {
    const { code, stderr } = await execute(join(IMAGE, script), args, { env: { PATH: '/usr/bin:/bin' } });
    assert.equal(code, 64);
    assert.match(stderr, says);
    assert.match(stderr, /^usage: /m);
  });

it('a slip in the name of the card is told before the image is looked at', async () => {
  const { code, stderr } = await execute(join(IMAGE, 'rewrite-os.sh'), [HERE, '/dev/no-such-card'], {
    env: { PATH: '/usr/sbin:/sbin:/usr/bin:/bin' },
  });
  assert.equal(code, 1);
  assert.match(stderr, /no-such-card is no card/);
});
