import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse, stringify } from 'smol-toml';
import { proves } from '../../promises.ts';
import { plugTerminal } from '../../terminal/plug.ts';
import { monotonic, type Stage } from '../stage.ts';
import {
  answerTo,
  ask,
  call,
  expectTurn,
  freshQuestion,
  rest,
  setTalk,
  untilIdle,
  untilLight,
} from '../voice/talk.ts';
import { packetsSent, programs, untilNoProgram } from './observe.ts';

type Table = Record<string, unknown>;

describe('in a turn', { concurrency: 4 }, () => {
  it('a reload with another speaker ends what it plays, and the next answer is heard there', async () => {
    proves('voice-never-stuck');
    await using stage = await setTalk();
    await ask(stage);
    await packetsSent(stage, 8);
    const again = stage.next('listen-start');
    write(stage, 'audio', { speaker: 'default' });
    process.kill(stage.appliance.pid, 'SIGHUP');
    const { fields } = await stage.appliance.logged('it', ({ fields }) => fields.event === 'reloaded');
    assert.deepEqual(fields.restarted, ['speaker']);
    await again;
    await rest(stage);
    await expectTurn(stage);
  });

  it('a reload with another terminal goes on with the question, and the new one shows and is heard', async () => {
    proves('voice-never-stuck', 'terminal-returns');
    await using stage = await setTalk();
    await using other = await plugTerminal();
    await call(stage);
    write(stage, 'terminal', { port: other.path });
    const told = other.expect('led', ({ r, b }) => r === 0 && b === 255);
    assert.equal(await reload(stage), 'restarted: terminal\n');
    await told;
    await stage.next('audio');
    const answered = stage.next('answer');
    const again = stage.next('tts-stop').then(() => stage.next('listen-start'));
    await stage.speak(freshQuestion());
    await answered;
    await again;
    const closed = stage.next('closed');
    other.click();
    await closed;
  });

  it('a reload with another mode ends the question, and the next one is asked by that mode', async () => {
    proves('voice-never-stuck');
    await using stage = await setTalk();
    const session = await call(stage);
    write(stage, 'voice', { mode: 'manual' });
    assert.equal(await reload(stage), 'restarted: voice\n');
    await session.closed;
    await stage.ready();
    await untilLight(stage, 'ready');
    const listening = stage.next('listen-start');
    stage.terminal.press();
    assert.equal((await listening).mode, 'manual');
    await stage.next('audio');
    const question = freshQuestion();
    const from = monotonic();
    const { to } = await stage.speak(question);
    while (monotonic() < to + 100) await stage.next('audio');
    const over = stage.next('tts-stop');
    stage.terminal.release();
    await over;
    await untilIdle(stage);
    assert.equal(await stage.heard(from), answerTo(question));
  });

  it('a reload without [voice] any more ends the answer and all that belongs to it, and brings it back when it is there again', async () => {
    proves('voice-never-stuck');
    await using stage = await setTalk();
    const { session } = await ask(stage);
    await packetsSent(stage, 8);
    write(stage, 'voice', undefined);
    assert.match(await reload(stage), /^removed: speaker, microphone, voice$/m);
    await session.closed;
    await untilNoProgram(stage, 'aplay');
    assert.deepEqual(programs(stage, 'arecord'), []);
    await untilLight(stage, 'ready');
    const { code, stderr } = await stage.appliance.cli('say', 'is anybody there?');
    assert.equal(code, 1);
    assert.match(stderr, /VOICE_OFF/);
    write(stage, 'voice', {});
    await reload(stage);
    await stage.ready();
    await expectTurn(stage);
  });

  it('a restart of the microphone: the question goes on', async () => {
    await using stage = await setTalk();
    await call(stage);
    await stage.next('audio');
    await restart(stage, 'microphone');
    await stage.next('audio');
    const answered = stage.next('answer');
    const question = freshQuestion();
    await stage.speak(question);
    assert.equal((await answered).text, answerTo(question));
  });

  it('a restart of the terminal: it shows the turn again, and the answer is heard whole', async () => {
    await using stage = await setTalk();
    const { answer, from } = await ask(stage);
    await packetsSent(stage, 4);
    const again = stage.next('listen-start');
    const told = stage.terminal.next('volume');
    await restart(stage, 'terminal');
    await told;
    await again;
    assert.equal(await stage.heard(from), answer);
  });

  it('a restart of the voice: the session is closed, and the next turn works', async () => {
    await using stage = await setTalk();
    const { session } = await ask(stage);
    await packetsSent(stage, 4);
    await restart(stage, 'voice');
    await session.closed;
    await untilNoProgram(stage, 'aplay');
    await untilLight(stage, 'ready');
    await expectTurn(stage);
  });

  it('a restart of the speaker: the answer is cut, and the next one is heard whole', async () => {
    await using stage = await setTalk();
    await ask(stage);
    await packetsSent(stage, 4);
    const again = stage.next('listen-start');
    await restart(stage, 'speaker');
    await again;
    await rest(stage);
    await expectTurn(stage);
  });
});

/** Settings as the stage has them, with one table changed or without it. */
function write(stage: Stage, table: string, changes: Table | undefined): void {
  const { [table]: own, ...others } = parse(stage.settings) as Record<string, Table>;
  const changed = changes === undefined ? others : { ...others, [table]: { ...own, ...changes } };
  stage.appliance.home.write('appliance.toml', stringify(changed));
}

async function reload(stage: Stage): Promise<string> {
  const { code, stdout, stderr } = await stage.appliance.cli('reload');
  assert.deepEqual([code, stderr], [0, '']);
  return stdout;
}

async function restart(stage: Stage, name: string): Promise<void> {
  const { code, stdout } = await stage.appliance.cli('restart', name);
  assert.equal(code, 0, stdout);
}
