import assert from 'node:assert/strict';
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { execute } from '../../image/execute.ts';
import { forProof } from '../prerequisite.ts';
import { type Cards, cards, GROWN_MB, WAITING } from './card-in-use.ts';
import { AT, IMAGE, SLOT_MB, TOOL } from './tiny-image.ts';

const { skip } = forProof(TOOL);

it('a newer image takes the first two partitions, and settings and data stay', { skip }, async () => {
  const { made, newer, card } = await cards();
  using _ = made;
  const before = readFileSync(card);
  const { code, stderr } = await made.rewrite(newer, card);
  assert.equal(code, 0, stderr);
  const image = made.path('newer.img');
  assert.ok(made.part(card, AT.slot, SLOT_MB).equals(made.part(image, AT.slot, SLOT_MB)));
  assert.equal(await made.bootFile(card, 'vmlinuz'), 'a newer kernel\n');
  const after = readFileSync(card);
  assert.ok(after.subarray((AT.slot + SLOT_MB) << 20).equals(before.subarray((AT.slot + SLOT_MB) << 20)));
  assert.ok(after.subarray(0, AT.boot << 20).equals(before.subarray(0, AT.boot << 20)));
});

it('a provisioning file that waits on the card, and a changed config.txt, are not lost', {
  skip,
}, async () => {
  const { made, newer, card } = await cards();
  using _ = made;
  await made.putBootFile(card, 'aivoice.toml', 'name = "kitchen"\n');
  await made.putBootFile(card, 'config.txt', 'dtoverlay=hifiberry-dac\n');
  assert.equal((await made.rewrite(newer, card)).code, 0);
  assert.equal(await made.bootFile(card, 'aivoice.toml'), 'name = "kitchen"\n');
  assert.equal(await made.bootFile(card, 'config.txt'), 'arm_64bit=1\n');
  assert.equal(await made.bootFile(card, 'config.old.txt'), 'dtoverlay=hifiberry-dac\n');
});

it('an overlay of the owner gives way to the config.txt of a former image', { skip }, async () => {
  const { made, newer, card } = await cards();
  using _ = made;
  await made.putBootFile(card, 'config.txt', 'dtoverlay=hifiberry-dac\n');
  assert.equal((await made.rewrite(newer, card)).code, 0);
  made.put('fat/config.txt', 'arm_64bit=1\nenable_uart=1\n');
  const newest = await made.packed('newest.img');
  for (let time = 1; time <= 2; time++) {
    assert.equal((await made.rewrite(newest, card)).code, 0);
    assert.equal(await made.bootFile(card, 'config.old.txt'), 'dtoverlay=hifiberry-dac\n');
    assert.equal(await made.bootFile(card, 'config.old2.txt'), 'arm_64bit=1\n');
  }
  assert.equal(await made.bootFile(card, 'config.old3.txt'), undefined);
});

it('a provisioning file that Windows has given a second ending is lost', { skip }, async () => {
  const { made, newer, card } = await cards();
  using _ = made;
  await made.putBootFile(card, 'aivoice.toml.txt', WAITING);
  assert.equal((await made.rewrite(newer, card)).code, 0);
  assert.equal(await made.bootFile(card, 'aivoice.toml.txt'), WAITING);
});

it('a provisioning file is lost where it cannot be put back', { skip }, async () => {
  const { made, newer, card } = await cards();
  using _ = made;
  await made.putBootFile(card, 'aivoice.toml', WAITING);
  made.standIn('mcopy', 'case "$*" in *@@*::/aivoice.toml) exit 1 ;; esac; exec /usr/bin/mcopy "$@"');
  const { code, stderr } = await made.rewrite(newer, card, made.withStandIns);
  assert.equal(code, 1);
  assert.match(stderr, /aivoice\.toml.*ません[\s\S]*aivoice\.toml.*run this again/);
  assert.equal((await made.rewrite(newer, card)).code, 0);
  assert.equal(await made.bootFile(card, 'aivoice.toml'), WAITING);
});

it('a provisioning file that is too large to be carried over is destroyed', { skip }, async () => {
  const { made, newer, card } = await cards();
  using _ = made;
  await made.putBootFile(card, 'aivoice.toml', 'a film'.repeat(1 << 20));
  const before = readFileSync(card);
  const { code, stderr } = await made.rewrite(newer, card);
  assert.equal(code, 1);
  assert.match(stderr, /aivoice\.toml.*ません[\s\S]*aivoice\.toml.*cannot be carried over/);
  assert.ok(readFileSync(card).equals(before));
});

it('a card whose boot partition cannot be read gets a new one, and is told that nothing is carried over', {
  skip,
}, async () => {
  const { made, newer, card } = await cards();
  using _ = made;
  await execute('dd', [
    'if=/dev/urandom',
    `of=${card}`,
    'bs=1M',
    `seek=${AT.boot}`,
    'count=2',
    'conv=notrunc',
  ]);
  const { code, stdout } = await made.rewrite(newer, card);
  assert.equal(code, 0);
  assert.match(stdout, /nothing is carried over/);
  assert.equal(await made.bootFile(card, 'vmlinuz'), 'a newer kernel\n');
});

/** What is done to make it refuse; resolves with the image and the card to try. */
const REFUSED: Readonly<
  Record<string, (cards: Cards) => Promise<readonly [string, string]> | readonly [string, string]>
> = {
  'a card of something else': async ({ made, newer }) => {
    const other = made.path('other.img');
    writeFileSync(other, '');
    truncateSync(other, GROWN_MB << 20);
    await execute('sh', ['-c', `echo 'start=4MiB type=c' | sfdisk -q -X dos '${other}'`]);
    return [newer, other];
  },
  'an empty card': ({ made, newer }) => {
    writeFileSync(made.path('empty.img'), Buffer.alloc(1 << 20));
    return [newer, made.path('empty.img')];
  },
  'a card whose partitions are elsewhere': async ({ newer, card }) => {
    await execute('sh', ['-c', `echo ', ${SLOT_MB / 2}M' | sfdisk -q -N 3 '${card}'`]);
    return [newer, card];
  },
  'a damaged image': ({ newer, card }) => {
    const bytes = readFileSync(newer);
    writeFileSync(newer, bytes.subarray(0, bytes.length - 5));
    return [newer, card];
  },
  'an image that does not match its sum': ({ newer, card }) => {
    writeFileSync(`${newer}.sha256`, `${'0'.repeat(64)}  newer.img.zst\n`);
    return [newer, card];
  },
  'an image of something else': async ({ made, card }) => {
    writeFileSync(made.path('other'), Buffer.alloc(8 << 20));
    await execute('zstd', ['-q', made.path('other')]);
    return [made.path('other.zst'), card];
  },
  'a card that is not there': ({ made, newer }) => [newer, made.path('nowhere')],
};

for (const [what, prepare] of Object.entries(REFUSED)) {
  it(`${what} is refused, and nothing is written`, { skip }, async () => {
    const made = await cards();
    using _ = made.made;
    const [image, card] = await prepare(made);
    const before = existsSync(card) ? readFileSync(card) : undefined;
    const { code, stderr } = await made.made.rewrite(image, card);
    assert.equal(code, 1);
    assert.match(stderr, /[ぁ-ん].*\n.*[a-z]/);
    if (before === undefined) assert.equal(existsSync(card), false);
    else assert.ok(readFileSync(card).equals(before));
  });
}

it('without an image and a card it says how it is called', async () => {
  const { code, stderr } = await execute(join(IMAGE, 'rewrite-os.sh'), []);
  assert.equal(code, 64);
  assert.match(stderr, /usage/);
});
