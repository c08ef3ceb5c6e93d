import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parse, stringify } from 'smol-toml';
import { proves } from '../../promises.ts';
import { startAppliance } from '../appliance.ts';
import { call, setTalk } from '../voice/talk.ts';
import { expectQuestionHeard } from './question.ts';

it('two appliances on one card and one port: the second one says what is wrong, harms no turn of the first, and takes over', async () => {
  proves('sound-returns', 'terminal-returns');
  await using stage = await setTalk();
  await call(stage);
  await stage.next('audio');
  const { endpoint: _, ...rest } = parse(stage.settings);
  const settings = stringify({ ...rest, voice: { url: 'ws://127.0.0.1:9/', token: 'none' } });
  await using second = startAppliance({ settings, env: stage.card.env, servers: {} });
  await second.untilPart('microphone', ({ code }) => code === 'AUDIO_BUSY');
  await second.untilPart('terminal', ({ code }) => code === 'TERMINAL_BUSY');
  const { code, stdout } = await second.cli('status');
  assert.equal(code, 1);
  assert.match(stdout, /Another program uses the sound card/);
  assert.match(stdout, /TERMINAL_BUSY: /);
  await expectQuestionHeard(stage);
  const first = await stage.appliance.cli('status');
  assert.equal(first.code, 0, first.stdout);
  await stage.appliance.stop();
  await second.untilPart('microphone', ({ state }) => state === 'ready', 15_000);
  await second.untilPart('terminal', ({ state }) => state === 'ready', 15_000);
});
