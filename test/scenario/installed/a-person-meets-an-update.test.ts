import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { until, untilNoProgram } from '../assistant/observe.ts';
import { Home } from '../home.ts';
import { command } from '../prerequisite.ts';
import { monotonic, type Stage } from '../stage.ts';
import { answerTo, freshQuestion, rest, setTalk, untilLight } from '../voice/talk.ts';
import { Store } from './store.ts';

const UNDONE = {
  schema: 1,
  version: '1.3.0',
  back: '1.2.3',
  check: 'crashes',
  reason: 'it ended three times within two minutes',
  at: '2026-11-30T00:00:00.000Z',
  log: ['{"event":"crash"}'],
  acknowledged: false,
};
/** Longer than any sound of a state, and shorter than the sentence. */
const SPEECH_MS = 1000;
const CHIME_MS = 200;

describe('an installed appliance', { concurrency: 2 }, () => {
  it('shows an update while it goes on, and is ready all the same', async () => {
    using store = new Store();
    store.writeImage({ schema: 1, version: '1.0.0', builtAt: '2026-01-01T00:00:00.000Z', osLevel: 1 });
    await using stage = await setTalk({ appliance: { env: store.env, servers: {} } });
    const { appliance } = stage;
    await untilLight(stage, 'ready');
    store.write('update.json', { schema: 1, phase: 'proving', at: new Date().toISOString(), bootId: 'x' });
    await untilLight(stage, 'updating');
    const { state, release, parts } = await appliance.status();
    assert.deepEqual(
      [state, release.updating, release.image?.version, release.undone],
      ['ready', true, '1.0.0', null],
    );
    assert.equal(parts.find(({ name }) => name === 'release')?.reason, 'being updated');
    const question = freshQuestion();
    assert.equal(await stage.turn(question), answerTo(question));
    await rest(stage);
    store.write('update.json', { schema: 1, phase: 'watching', at: new Date().toISOString(), bootId: 'x' });
    await untilLight(stage, 'ready');
    assert.equal((await appliance.status()).release.updating, false);
  });

  it(
    'says aloud and once that an update was undone, and shows it until that is acknowledged',
    command('espeak-ng'),
    async () => {
      using store = new Store();
      using home = new Home();
      await using stage = await setTalk({ appliance: { env: store.env, home, servers: {} } });
      await untilLight(stage, 'ready');
      const from = monotonic();
      store.write('undone.json', UNDONE);
      await untilLight(stage, 'rolled-back');
      await until('the sentence', () => soundMs(stage, from) > SPEECH_MS, 10_000);
      const { state, parts, release } = await stage.appliance.status();
      assert.equal(state, 'degraded');
      assert.deepEqual([release.undone?.check, release.undone?.log], ['crashes', UNDONE.log]);
      const part = parts.find(({ name }) => name === 'release');
      assert.deepEqual([part?.kind, part?.state, part?.code], ['release', 'degraded', 'UPDATE_UNDONE']);
      const { code, stdout } = await stage.appliance.cli('status');
      assert.equal(code, 1);
      assert.match(stdout, /1\.3\.0 was undone .*three times.*\n.*aivoice releases --acknowledge/);
      const lines = stage.appliance.log.filter(({ fields }) => fields.event === 'update_undone');
      assert.deepEqual(
        lines.map(({ fields }) => [fields.version, fields.check, fields.code]),
        [['1.3.0', 'crashes', 'UPDATE_UNDONE']],
      );
      await until('what was told to be kept', () => kept(home).includes('1.3.0'), 20_000);
      await stage.appliance.stop();
      const second = monotonic();
      stage.start();
      await stage.ready();
      await untilLight(stage, 'rolled-back');
      await until('a chime', () => soundMs(stage, second) > CHIME_MS);
      await untilNoProgram(stage, 'aplay');
      assert.ok(
        soundMs(stage, second) < SPEECH_MS,
        `${soundMs(stage, second)} ms of a sound that was to be short`,
      );
      store.write('undone.json', { ...UNDONE, acknowledged: true });
      await untilLight(stage, 'ready');
      assert.equal((await stage.appliance.cli('status')).code, 0);
    },
  );
});

function kept(home: Home): string {
  return readFileSync(join(home.state, 'aivoice', 'assistant.json'), { encoding: 'utf8', flag: 'a+' });
}

/** How long something loud came out of the speaker since then, in whole hundredths of a second. */
function soundMs(stage: Stage, since: number): number {
  const played = stage.card.played(since, monotonic());
  let loud = 0;
  for (let at = 0; at < played.length; at += 480)
    if (played.subarray(at, at + 480).some((sample) => Math.abs(sample) > 500)) loud++;
  return loud * 10;
}
