import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { proves } from '../../promises.ts';
import type { BenchTerminal } from '../../terminal/plug.ts';
import { monotonic } from '../stage.ts';
import { ask, call, expectTurn, rest, setTalk, untilIdle, untilLight } from '../voice/talk.ts';
import { packetsSent } from './observe.ts';
import { expectQuestionHeard } from './question.ts';

/** The promise is 3 s to notice and 5 s to find; a busy machine may take a little more. */
const NOTICED_MS = 3000 + 500;
const FOUND_MS = 5000 + 500;

describe('a terminal', { concurrency: 4 }, () => {
  it('that is unplugged and plugged in again: noticed, found, told all at once, and a press is one press', async () => {
    proves('terminal-returns');
    await using stage = await setTalk();
    const { appliance, terminal } = stage;
    terminal.unplug();
    const lost = await appliance.untilPart('terminal', ({ state }) => state === 'degraded', NOTICED_MS);
    assert.match(lost.code ?? '', /^TERMINAL_(LOST|MISSING)$/);
    assert.equal((await appliance.cli('status')).code, 1);
    for (let presses = 0; presses < 3; presses++) stage.click();
    const told = terminal.record.length;
    terminal.replug();
    await terminal.next('get_state', () => true, FOUND_MS);
    assert.deepEqual(
      afterHello(terminal, told).map(({ what }) => what),
      ['led', 'volume', 'mute', 'get_state'],
    );
    await stage.ready();
    await untilLight(stage, 'ready');
    await call(stage);
    await sleep(500); // a press too many would end it by now
    assert.equal(stage.voice.all('listen-start').length, 1);
    await expectQuestionHeard(stage);
  });

  it('that freezes: status says silent, what was pressed meanwhile is not made up for, and it is linked again', async () => {
    proves('terminal-returns');
    await using stage = await setTalk();
    stage.terminal.freeze();
    await stage.appliance.untilPart('terminal', ({ code }) => code === 'TERMINAL_SILENT');
    stage.click();
    stage.terminal.thaw();
    await stage.ready();
    assert.deepEqual(stage.voice.all('listen-start'), []);
    await expectTurn(stage);
  });

  it('that reboots in the middle of an answer: light and volume are told again, and the last word is heard', async () => {
    proves('terminal-returns', 'voice-last-word');
    await using stage = await setTalk();
    const { answer, from } = await ask(stage);
    await packetsSent(stage, 6);
    const told = stage.terminal.record.length;
    const again = stage.next('listen-start');
    stage.terminal.reboot();
    await Promise.all(whatIsTold(stage.terminal));
    const [led, volume] = afterHello(stage.terminal, told);
    assert.deepEqual([led?.payload.mode, volume?.payload], ['pulse', { level: 60 }]);
    await again;
    assert.equal(await stage.heard(from), answer);
    await rest(stage);
    await expectTurn(stage);
  });

  it('that is unplugged while it listens: the question is answered, and the light is right when it is back', async () => {
    proves('terminal-returns', 'voice-never-stuck');
    await using stage = await setTalk();
    await call(stage);
    await stage.next('audio');
    stage.terminal.unplug();
    const from = monotonic();
    const answered = stage.next('answer');
    await stage.speak('question x');
    const { text } = await answered;
    await stage.next('listen-start');
    assert.equal(await stage.heard(from), text);
    stage.terminal.replug();
    await untilLight(stage, 'listening', FOUND_MS);
    await rest(stage);
    await untilIdle(stage);
    await stage.ready();
    await expectTurn(stage);
  });
});

function whatIsTold(terminal: BenchTerminal): readonly Promise<unknown>[] {
  return (['hello', 'led', 'volume', 'mute', 'get_state'] as const).map((what) => terminal.next(what));
}

/** What was told from there on but for greetings: a terminal that answers late is greeted again. */
function afterHello(terminal: BenchTerminal, from: number) {
  return terminal.record.slice(from).filter(({ what }) => what !== 'hello');
}
