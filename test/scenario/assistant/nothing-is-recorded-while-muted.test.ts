import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { proves } from '../../promises.ts';
import { Home } from '../home.ts';
import { ask, call, expectTurn, rest, setTalk, untilLight } from '../voice/talk.ts';
import { packetsSent, programs, until, untilNoProgram, untilProgram } from './observe.ts';

/** The switch is a promise, so it is quick; a busy machine may take a little more. */
const GONE_MS = 500;

describe('while the switch of the terminal is on', { concurrency: 4 }, () => {
  it('nothing is heard: the recorder is gone at once, nothing reaches the cloud, light and status say so', async () => {
    proves('voice-mute');
    await using stage = await setTalk();
    const session = await call(stage);
    await stage.next('audio');
    await untilProgram(stage, 'arecord');
    stage.terminal.mute(true);
    await untilNoProgram(stage, 'arecord', GONE_MS);
    await session.closed;
    const heard = stage.voice.all('audio').length;
    await untilLight(stage, 'muted');
    const { stdout } = await stage.appliance.cli('status');
    assert.match(stdout, /MUTED: /);
    const from = stage.voice.events.length;
    stage.click();
    await stage.terminal.settled();
    await stage.speak('nobody hears this');
    const { code } = await stage.appliance.cli('say', 'typed');
    assert.equal(code, 0);
    assert.deepEqual(programs(stage, 'arecord'), []);
    assert.equal(stage.voice.all('audio').length, heard);
    const told = stage.voice.events.slice(from).map(({ event }) => event);
    assert.equal(told.includes('listen-start'), false);
    stage.terminal.mute(false);
    await untilLight(stage, 'ready');
    await expectTurn(stage);
  });

  it('an answer is heard to its end, and nobody listens after it', async () => {
    proves('voice-mute', 'voice-last-word');
    await using stage = await setTalk();
    const { answer, from, session } = await ask(stage);
    await packetsSent(stage, 6);
    stage.terminal.mute(true);
    await stage.next('tts-stop');
    await untilNoProgram(stage, 'aplay');
    assert.equal(await stage.heard(from), answer);
    await untilLight(stage, 'muted');
    assert.deepEqual(programs(stage, 'arecord'), []);
    assert.equal(stage.voice.all('listen-start').length, 1);
    await rest(stage);
    await session.closed;
    stage.terminal.mute(false);
    await untilLight(stage, 'ready');
    await expectTurn(stage);
  });

  it('and the terminal is lost, nothing is recorded until it is back and says otherwise', async () => {
    proves('voice-mute', 'terminal-returns');
    await using stage = await setTalk();
    await call(stage);
    await stage.next('audio');
    stage.terminal.mute(true);
    await untilNoProgram(stage, 'arecord', GONE_MS);
    stage.terminal.unplug();
    await stage.appliance.untilPart('terminal', ({ state }) => state !== 'ready');
    const { code } = await stage.appliance.cli('restart', 'microphone');
    assert.equal(code, 0);
    await stage.appliance.cli('say', 'typed');
    assert.deepEqual(programs(stage, 'arecord'), []);
    stage.terminal.replug();
    await stage.ready();
    await untilLight(stage, 'muted');
    assert.deepEqual(programs(stage, 'arecord'), []);
    stage.terminal.unplug();
    stage.terminal.mute(false);
    stage.terminal.replug();
    await untilLight(stage, 'ready', 10_000);
    await stage.ready();
    await expectTurn(stage);
  });

  for (const end of ['SIGTERM', 'SIGKILL'] as const) {
    it(`and the terminal is away, it is remembered over a restart of the appliance by ${end}`, async () => {
      proves('voice-mute');
      using home = new Home();
      await using stage = await setTalk({ appliance: { home } });
      stage.terminal.mute(true);
      await untilLight(stage, 'muted');
      await until('the switch in its memory', () => isRemembered(home), 1000);
      stage.terminal.unplug();
      if (end === 'SIGTERM') await stage.appliance.stop();
      else process.kill(stage.appliance.pid, end);
      assert.deepEqual(await stage.appliance.leftovers(3000), []);
      const appliance = stage.start();
      await appliance.untilPart('microphone', ({ reason }) => reason?.endsWith(', muted') === true);
      await appliance.untilPart('voice', ({ state }) => state === 'ready');
      await appliance.cli('say', 'typed');
      assert.deepEqual(programs(stage, 'arecord'), []);
      assert.equal(stage.card.events().filter(({ side }) => side === 'microphone').length, 2);
      stage.terminal.mute(false);
      stage.terminal.replug();
      await untilLight(stage, 'ready', 10_000);
      await stage.ready();
      await expectTurn(stage);
    });
  }
});

function isRemembered(home: Home): boolean {
  const file = join(home.state, 'aivoice', 'assistant.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).muted === true;
}
