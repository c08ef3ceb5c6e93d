import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { forProof } from '../prerequisite.ts';
import { cards, WAITING } from './card-in-use.ts';
import { AT, TOOL, type Workshop } from './tiny-image.ts';

const { skip } = forProof(TOOL);
type Environment = Readonly<Record<string, string>>;
const CONFIG = 'dtoverlay=hifiberry-dac\n';
const KILL = 'kill -KILL $PPID; exit 1';

/** The last steps, each with the call at which the power goes; a pattern of the shell. */
const LAST_STEPS = [
  ['before the provisioning file is back', 'mcopy', '-o*@@*::/aivoice.toml'],
  ['before config.txt is back', 'mcopy', '-o*@@*::/config.old.txt'],
  ['before the copies are wiped', 'dd', 'if=/dev/zero*seek=2*'],
  ['before the mark of the copies is wiped', 'dd', 'if=/dev/zero*seek=2048*'],
  ['before the card is made bootable', 'dd', `of=*seek=${AT.boot * 2048}*`],
] as const;

for (const [when, program, call] of LAST_STEPS)
  it(`a card that was cut short ${when} boots without its provisioning file`, { skip }, async () => {
    const { made, newer, card } = await cards();
    using _ = made;
    await made.putBootFile(card, 'aivoice.toml', WAITING);
    await made.putBootFile(card, 'config.txt', CONFIG);
    const isLast = program === 'dd' && call.startsWith('of=');
    made.standIn(
      program,
      isLast ? cutAtSecond(made, call) : `case "$*" in ${call}) ${KILL} ;; esac; exec /bin/${program} "$@"`,
    );
    assert.notEqual((await made.rewrite(newer, card, made.withStandIns)).code, 0);
    assert.equal(boots(card), false);
    const { code, stderr } = await made.rewrite(newer, card);
    assert.equal(code, 0, stderr);
    await assertWhole(made, card);
  });

it('what a card keeps that was cut short takes the place of a newer file of its owner', {
  skip,
}, async () => {
  const { made, newer, card } = await cards();
  using _ = made;
  await made.putBootFile(card, 'aivoice.toml', 'endpoint = "wss://cloud.example/old"\n');
  // The copies are there, and the card is as it was.
  made.standIn('dd', `case "$*" in of=*seek=${AT.boot * 2048}*) ${KILL} ;; esac; exec /bin/dd "$@"`);
  assert.notEqual((await made.rewrite(newer, card, made.withStandIns)).code, 0);
  assert.equal(boots(card), true);
  await made.putBootFile(card, 'aivoice.toml', WAITING);
  assert.equal((await made.rewrite(newer, card)).code, 0);
  assert.equal(await made.bootFile(card, 'aivoice.toml'), WAITING);
});

/** How a write ends that has come so far; shell. */
const CUT_SHORT = {
  fails: 'exit 1',
  'is killed': 'kill -KILL $PPID',
} as const;

for (const [what, end] of Object.entries(CUT_SHORT))
  for (const half of [0, 3, 20])
    it(`a provisioning file is lost where writing ${what} after ${half} MiB and is done again`, {
      skip,
    }, async () => {
      const { made, newer, card } = await cards();
      using _ = made;
      await made.putBootFile(card, 'aivoice.toml', WAITING);
      await made.putBootFile(card, 'config.txt', CONFIG);
      const cut = await made.rewrite(newer, card, dyingAfter(made, card, half, end));
      assert.notEqual(cut.code, 0);
      assert.equal(await made.bootFile(card, 'vmlinuz'), undefined, 'half of a system is not for booting');
      const { code, stderr } = await made.rewrite(newer, card);
      assert.equal(code, 0, stderr);
      assert.equal(await made.bootFile(card, 'aivoice.toml'), WAITING);
      assert.equal(await made.bootFile(card, 'config.old.txt'), CONFIG);
      assert.equal(await made.bootFile(card, 'vmlinuz'), 'a newer kernel\n');
      assert.equal(
        readFileSync(card)
          .subarray(0, AT.boot << 20)
          .includes('CANARY'),
        false,
      );
    });

it('a provisioning file of one card ends up on another, which is written after a failure', {
  skip,
}, async () => {
  const { made, newer, card } = await cards();
  using _ = made;
  const other = made.path('other-card.img');
  writeFileSync(other, readFileSync(card));
  await made.putBootFile(card, 'aivoice.toml', WAITING);
  assert.notEqual((await made.rewrite(newer, card, dyingAfter(made, card, 3, 'exit 1'))).code, 0);
  assert.equal((await made.rewrite(newer, other)).code, 0);
  assert.equal(await made.bootFile(other, 'aivoice.toml'), undefined);
});

/** What a boot loader looks for at the end of the first sector. */
function boots(card: string): boolean {
  const end = (AT.boot << 20) + 512;
  return (
    readFileSync(card)
      .subarray(end - 2, end)
      .toString('hex') === '55aa'
  );
}

async function assertWhole(made: Workshop, card: string): Promise<void> {
  assert.equal(boots(card), true);
  assert.equal(await made.bootFile(card, 'aivoice.toml'), WAITING);
  assert.equal(await made.bootFile(card, 'config.old.txt'), CONFIG);
  assert.equal(await made.bootFile(card, 'vmlinuz'), 'a newer kernel\n');
  const gap = readFileSync(card).subarray(0, AT.boot << 20);
  assert.equal(gap.includes('CANARY'), false);
  assert.equal(gap.includes('aivoice-copies'), false);
}

/** The first sector is written twice: when the card is closed, and last. */
function cutAtSecond(made: Workshop, call: string): string {
  const closed = made.path('closed');
  return `case "$*" in ${call}) [ ! -e '${closed}' ] || { ${KILL}; }; : >'${closed}' ;; esac; exec /bin/dd "$@"`;
}

/** The environment in which the system's `dd` dies when it has written so many MiB of a longer piece to the card. */
function dyingAfter(made: Workshop, card: string, mib: number, end: string): Environment {
  const LONGEST_MB = 2;
  const head = made.path('head');
  made.standIn(
    'dd',
    `case "$*" in *if=*) exec /bin/dd "$@" ;; *of=${card}*) ;; *) exec /bin/dd "$@" ;; esac
head -c ${(LONGEST_MB + 1) << 20} >'${head}'
[ "$(stat -c %s '${head}')" -gt ${LONGEST_MB << 20} ] || exec /bin/dd "$@" <'${head}'
cat '${head}' - | head -c ${mib << 20} | /bin/dd "$@"
${end}`,
  );
  return made.withStandIns;
}
