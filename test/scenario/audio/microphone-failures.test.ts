import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Code } from '../../../device/kernel/codes.ts';
import { type FakeCard, MicrophoneScene, until } from './microphone-scene.ts';

/** Listens, lets `harm` befall the recorder, and sees that sound comes again without anybody's help. */
async function recovers(harm: (scene: MicrophoneScene, pid: number) => void, code: Code, reason: RegExp) {
  await using scene = new MicrophoneScene();
  await scene.ready();
  let chunks = 0;
  using _ = scene.microphone.listen(() => void chunks++);
  await until('sound', () => chunks > 0 || undefined, 3000);
  harm(scene, scene.folder.recorders()[0]!.pid);
  const { ended } = await scene.untilPart('dead', (part) => part.ended !== undefined, 4000);
  assert.equal(ended?.code, code);
  assert.match(ended?.what ?? '', reason);
  scene.folder.is({});
  const before = chunks;
  await until('sound again', () => chunks > before || undefined, 5000);
  assert.ok(scene.folder.recorders().length <= 1);
}

it('a recorder that is killed is replaced, and whoever listens hears on', () =>
  recovers((_, pid) => process.kill(pid, 'SIGKILL'), 'AUDIO_LOST', /^recorder killed by SIGKILL$/));

it('a recorder that is stopped and holds the card is found within two seconds and replaced', () =>
  recovers((_, pid) => process.kill(pid, 'SIGSTOP'), 'AUDIO_STALLED', /^recorder no sound for 1500 ms$/));

const ENDS: readonly (readonly [string, FakeCard, Code, RegExp])[] = [
  ['ends with 0 although nobody asked it to', { exits: [300, 0] }, 'AUDIO_LOST', /^recorder exited 0$/],
  [
    'says that its card was unplugged',
    { exits: [300, 1, 'arecord: pcm_read:2221: read error: No such device'] },
    'AUDIO_MISSING',
    /^recorder exited 1: read error: No such device$/,
  ],
  [
    'is interrupted',
    { exits: [300, 1, 'arecord: pcm_read:2221: read error: Interrupted system call'] },
    'AUDIO_LOST',
    /^recorder exited 1: read error: Interrupted system call$/,
  ],
];

for (const [what, card, code, reason] of ENDS) {
  it(`a recorder that ${what} has failed and is replaced`, async () => {
    await using scene = new MicrophoneScene({ card });
    await scene.ready();
    let chunks = 0;
    using _ = scene.microphone.listen(() => void chunks++);
    const { ended } = await scene.untilPart('dead', (part) => part.ended !== undefined, 4000);
    assert.equal(ended?.code, code);
    assert.match(ended?.what ?? '', reason);
    scene.folder.is({});
    const before = chunks;
    await until('sound again', () => chunks > before + 20 || undefined, 5000);
  });
}

it('a device that gives sound as fast as it is taken, as ALSA has them, does not cost a core', async () => {
  await using scene = new MicrophoneScene({ card: { speed: 50 }, device: 'null' });
  await scene.ready();
  let chunks = 0;
  using _ = scene.microphone.listen(() => void chunks++);
  const { ended } = await scene.untilPart('found out', (part) => part.ended !== undefined, 4000);
  assert.equal(ended?.code, 'AUDIO_FORMAT');
  assert.match(ended?.what ?? '', /^null gives sound faster than time/);
  assert.ok(chunks * 20 < 10_000, `${chunks} chunks`);
});

const REFUSALS: readonly (readonly [string, Code, RegExp])[] = [
  ['audio open error: No such file or directory', 'AUDIO_MISSING', /No such file or directory$/],
  ['audio open error: Permission denied', 'AUDIO_DENIED', /Permission denied$/],
];

for (const [words, code, reason] of REFUSALS) {
  it(`a card of which arecord says "${words}" is told as ${code}, and had as soon as it can be`, async () => {
    await using scene = new MicrophoneScene({ card: { fails: `arecord: main:831: ${words}` } });
    const part = await scene.untilPart('refused', (found) => found.code === code);
    assert.match(part.reason ?? '', reason);
    assert.equal(scene.folder.log('start').length, scene.folder.log('refused').length, 'one question a try');
    scene.folder.is({});
    assert.equal((await scene.hear(640)).length, 640);
  });
}

it('a card that opens and gives no sound is told as stalled', async () => {
  await using scene = new MicrophoneScene({ card: { silent: true } });
  const part = await scene.untilPart('stalled', ({ code }) => code === 'AUDIO_STALLED', 12_000);
  assert.equal(part.reason, 'hw:1 opens and gives no sound');
});

it('where arecord is not installed, that is said, and no error goes unhandled', async () => {
  await using scene = new MicrophoneScene({ env: { PATH: '/nonexistent' } });
  const part = await scene.untilPart('no tools', ({ code }) => code === 'AUDIO_TOOLS');
  assert.equal(part.reason, 'command not found: arecord');
});
