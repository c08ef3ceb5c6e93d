import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textOf } from '../../cloud/message.ts';
import { SAID_HZ, type Speech } from '../../cloud/voice/speech.ts';
import { tones } from '../../cloud/voice/tones.ts';
import { Home } from '../home.ts';
import { monotonic, type Stage } from '../stage.ts';
import { answerTo, ask, call, expectTurn, rest, setTalk, untilLight } from './talk.ts';

describe('the device obeys the tools that the cloud calls in a turn', { concurrency: 3 }, () => {
  it('the volume is heard at once, told to the terminal, and remembered after a restart', async () => {
    using home = new Home();
    const speech = steadyOnce();
    await using stage = await setTalk({ speech, started: false, appliance: { home } });
    {
      await using _ = stage.start();
      await stage.ready();
      const { session } = await ask(stage);
      await stage.voice.next('the answer', (e) => e.event === 'packet-sent' && e.number === 12);
      const before = loudness(stage);
      const told = stage.terminal.next('volume', ({ level }) => level === 20);
      const later = stage.voice.next('time', (e) => e.event === 'packet-sent' && e.number >= 24);
      assert.equal(textOf(await session.callTool('self.audio_speaker.set_volume', { volume: 20 })), 'true');
      await told;
      await later;
      assert.ok(loudness(stage) < before / 3);
      const status = JSON.parse(textOf(await session.callTool('self.get_device_status')));
      assert.equal(status.audio_speaker.volume, 20);
      await assert.rejects(session.callTool('self.audio_speaker.set_volume', { volume: 101 }), /volume/);
      await stage.next('listen-start');
      await rest(stage);
      await expectTurn(stage);
    }
    const told = stage.terminal.next('volume', ({ level }) => level === 20);
    stage.start();
    await told;
    await stage.ready();
    const session = await call(stage);
    assert.equal(textOf(await session.callTool('self.audio_speaker.get_volume')), '20');
    const lit = stage.terminal.next('led', ({ bright }) => bright === 90);
    await session.callTool('self.led_strip.set_brightness', { brightness: 90 });
    await lit;
    await rest(stage);
  });

  it('the microphone goes off when the answer is over, and a press turns it on again', async () => {
    const stage: Stage = await setTalk({
      voice: {
        answer: async (question) => {
          const [session, next] = stage.voice.sessions;
          if (!next) await session?.callTool('self.microphone.set_mute', { muted: true });
          return answerTo(question);
        },
      },
    });
    await using _ = stage;
    const { answer, from } = await ask(stage);
    await untilLight(stage, 'muted');
    await stage.next('tts-stop');
    await stage.appliance.untilPart('voice', ({ reason }) => reason === 'idle');
    assert.equal(await stage.heard(from), answer);
    const runs = stage.card.events().filter(({ side }) => side === 'microphone');
    assert.equal(runs.at(-1)?.what, 'stop');
    stage.click();
    await untilLight(stage, 'ready');
    await rest(stage);
    await expectTurn(stage);
  });

  it('but it is started anew for nobody who is not its owner, and not where nobody would start it', async () => {
    await using stage = await setTalk();
    const session = await call(stage);
    await stage.next('device-tools');
    await assert.rejects(session.callTool('self.system.reboot'), /no such tool/);
    await session.tools.list({ withUserTools: true });
    await assert.rejects(session.callTool('self.system.reboot'), /not allowed/);
    session.reboot();
    await stage.appliance.logged(
      'a message is no owner',
      ({ fields }) => fields.event === 'system_command_ignored',
    );
    await rest(stage);
    await expectTurn(stage);
  });
});

/** The first answer is a steady tone of 2.4 s. */
function steadyOnce(): Speech {
  const speech = tones();
  const steady = Int16Array.from({ length: 2.4 * SAID_HZ }, (_, at) => 8000 * Math.sin(at / 6));
  let said = 0;
  return { ...speech, say: (text) => (said++ === 0 ? Promise.resolve(steady) : speech.say(text)) };
}

/** Of 100 ms that just left the speaker. */
function loudness(stage: Stage): number {
  const sound = stage.card.played(monotonic() - 120, monotonic() - 20);
  return Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / sound.length);
}
