import assert from 'node:assert/strict';
import { it } from 'node:test';
import { textOf } from '../../cloud/message.ts';
import { fixture } from '../appliance.ts';
import { answerTo, freshQuestion, setTalk, untilLight } from '../voice/talk.ts';

it('no arecord and no aplay on this machine: status and light say what to install, and the rest works', async () => {
  await using stage = await setTalk({
    started: false,
    appliance: { env: { PATH: '/nonexistent' }, servers: { tools: fixture('tools.mjs') } },
  });
  const appliance = stage.start();
  for (const name of ['microphone', 'speaker']) {
    await appliance.untilPart(name, ({ code }) => code === 'AUDIO_TOOLS');
  }
  await untilLight(stage, 'fault');
  const { code, stdout } = await appliance.cli('status');
  assert.equal(code, 1);
  assert.match(stdout, /speaker, microphone: .*Install alsa-utils/);
  await stage.cloud.tools();
  assert.equal(textOf(await stage.cloud.call('echo', { text: 'hi' })), 'hi');
  const question = freshQuestion();
  assert.equal((await appliance.cli('say', question)).stdout, `${answerTo(question)}\n`);
});
