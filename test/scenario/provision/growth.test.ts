import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Card } from './card.ts';

const [DISK, PART] = ['sys/devices/mmc0/mmcblk9', 'mmcblk9p4'];
const FULL = 8_000_000;

/** A card of FULL sectors whose last partition has `sectors`; what grows it is told to the kernel by partx. */
function grownTo(sectors: number): Card {
  const card = new Card();
  card.put(`${DISK}/size`, `${FULL}\n`);
  for (const [number, start, size] of [
    [1, 8192, 500_000],
    [2, 600_000, 2_000_000],
    [4, 3_000_000, sectors],
  ] as const) {
    const folder = `${DISK}/mmcblk9p${number}`;
    for (const [name, value] of Object.entries({ partition: number, start, size }))
      card.put(`${folder}/${name}`, `${value}\n`);
  }
  card.link(`sys/class/block/${PART}`, `${card.root}/${DISK}/${PART}`);
  card.standIn('findmnt', `echo /dev/${PART}`);
  card.standIn('partx', `echo ${FULL - 3_000_000} >'${card.root}/${DISK}/${PART}/size'`);
  card.standIn('sfdisk', `cat >>'${card.root}/asked'`);
  return card;
}

function growing(card: Card): string[] {
  return card.calls
    .filter((call) => /^(sfdisk|partx|resize2fs)/.test(call))
    .map((call) => call.replace(/ .* /, ' '));
}

it('the data partition takes the rest of the card on the first boot, and is left alone then', async () => {
  using card = grownTo(500_000);
  await card.boot();
  assert.deepEqual(growing(card), ['sfdisk /dev/mmcblk9', 'partx /dev/mmcblk9', `resize2fs /dev/${PART}`]);
  assert.match(card.calls.find((call) => call.startsWith('sfdisk')) ?? '', / -N 4 /);
  assert.equal(card.text('asked'), ', +\n');
  await card.boot();
  assert.equal(growing(card).length, 3);
});

it('a power cut after the partition has grown leaves the file system for the next boot', async () => {
  using card = grownTo(500_000);
  card.standIn('resize2fs', 'kill -KILL $PPID');
  assert.equal((await card.boot()).signal, 'SIGKILL');
  card.standIn('resize2fs', '');
  await card.boot();
  await card.boot();
  const asked = [
    'sfdisk /dev/mmcblk9',
    'partx /dev/mmcblk9',
    `resize2fs /dev/${PART}`,
    `resize2fs /dev/${PART}`,
  ];
  assert.deepEqual(
    growing(card),
    asked.map((call) => (call.startsWith('resize') ? `resize2fs /dev/${PART}` : call)),
  );
});

it('an image that was written to a larger card grows anew', async () => {
  using card = grownTo(500_000);
  await card.boot();
  card.put(`${DISK}/size`, `${2 * FULL}\n`);
  await card.boot();
  assert.equal(growing(card).filter((call) => call.startsWith('sfdisk')).length, 2);
});

it('a partition that is not the last one, or data in RAM, is not touched', async () => {
  using card = grownTo(500_000);
  card.put(`${DISK}/mmcblk9p5/start`, '7000000\n');
  await card.boot();
  card.standIn('findmnt', 'echo tmpfs');
  await card.boot();
  assert.deepEqual(growing(card), []);
});

it('a card that cannot grow is used as it is', async () => {
  using card = grownTo(500_000);
  card.standIn('sfdisk', 'echo "sfdisk: cannot" >&2; exit 1');
  card.standIn('partx', 'exit 1');
  card.standIn('resize2fs', 'exit 1');
  const { code, said } = await card.boot();
  assert.equal(code, 0);
  assert.match(said, /partition_not_grown.*sfdisk: cannot/);
  assert.match(card.text('etc/hostname'), /^aivoice-/);
});
