import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Card, FILLED, PLACE } from './card.ts';

/** What shows that a step of provisioning is done, in their order. */
const STEPS = ['wifi', 'endpoint', 'token', 'logins', 'settings', 'host'] as const;
/** Of what the first card was given, all that does not differ between two devices. */
const GIVEN = STEPS.map((step) => PLACE[step]);

for (const step of STEPS) {
  it(`the power may go once the file of the ${step} is there: the next boot does it all`, async () => {
    using whole = new Card();
    whole.put(PLACE.given, FILLED);
    await whole.boot();
    using card = new Card();
    card.put(PLACE.given, FILLED);
    await card.boot(() => card.has(PLACE[step]));
    const { code, said } = await card.boot();
    assert.equal(code, 0, said);
    assertSame(card, whole);
  });
}

for (const [moment, program, condition] of [
  ['before the boot partition is writable', 'mount', 'remount,rw*'],
  ['before it is read-only again', 'mount', 'remount,ro*'],
  ['while the host key is made', 'ssh-keygen', '*'],
  ['while the country is set', 'iw', '*'],
] as const) {
  it(`the power may go ${moment}: the next boot does it all`, async () => {
    using whole = new Card();
    whole.put(PLACE.given, FILLED);
    await whole.boot();
    using card = new Card();
    card.put(PLACE.given, FILLED);
    const argument = program === 'mount' ? '$2' : '*';
    card.standIn(program, `case "${argument}" in ${condition}) kill -KILL $PPID ;; esac`);
    const cut = await card.boot();
    assert.equal(cut.signal, 'SIGKILL', cut.said);
    card.remove(`stand-ins/${program}`);
    if (program !== 'ssh-keygen') card.standIn(program, '');
    await card.boot();
    assertSame(card, whole);
  });
}

it('the power goes in the middle of wiping: the device complains of a file that it has applied', async () => {
  using whole = new Card();
  whole.put(PLACE.given, FILLED);
  await whole.boot();
  using card = new Card();
  card.put(PLACE.given, FILLED);
  await card.boot();
  const half = Buffer.concat([Buffer.alloc(100), Buffer.from(FILLED).subarray(100)]);
  card.put('boot/firmware/aivoice-applied.tmp', half);
  const { code, said } = await card.boot();
  assert.equal(code, 0, said);
  assertSame(card, whole);
});

function assertSame(card: Card, whole: Card): void {
  const [got, expected] = [card.everything(), whole.everything()];
  for (const path of GIVEN) assert.equal(got.get(path), expected.get(path), path);
  assert.deepEqual(card.names('boot/firmware'), []);
  assert.equal(card.text(PLACE.hostname), 'living-room\n');
  assert.match(card.text(`${PLACE.hostKey}.pub`), /^ssh-ed25519 /);
  const leavings = [...got.keys()].filter((path) => /\.new(\.pub)?$/.test(path));
  assert.deepEqual(leavings, []);
  assert.equal(card.has('run/aivoice-provision'), false);
}
