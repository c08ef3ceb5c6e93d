import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fixture } from '../appliance.ts';
import { monotonic } from '../stage.ts';
import { answerTo, setTalk, untilIdle } from './talk.ts';

it('the end of a slow tool is told to the room, where somebody wished so and has not asked', async () => {
  const servers = { tools: { ...fixture('tools.mjs'), async: 'always' } };
  await using stage = await setTalk({ settings: { tasks: { announce: true } }, appliance: { servers } });
  await stage.cloud.ready();
  const from = monotonic();
  const told = stage.next('listen-detect');
  const over = stage.next('tts-stop', 30_000);
  await stage.cloud.call('hold', { ms: 300 });
  const { text } = (await told) as { text: string };
  assert.match(text, /^The result of hold is ready \(task t1\)/);
  await over;
  await untilIdle(stage);
  assert.equal(await stage.heard(from), answerTo(text));
});
