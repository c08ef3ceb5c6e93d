import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { reset } from '../cloud/faults.ts';
import type { Appliance } from '../scenario/appliance.ts';
import type { Stage } from '../scenario/stage.ts';
import { ask, untilListed } from './ask.ts';
import type { Trace } from './bench-event.ts';
import type { Flags } from './flags.ts';
import { interrupt } from './voice-interrupt.ts';
import { speakTurn } from './voice-turn.ts';

/** The guided run: what an owner cares for, in the order in which it goes wrong. Throws at the first thing that does. */
export async function runScript(stage: Stage, trace: Trace, speech: Flags['speech']): Promise<void> {
  const { cloud, appliance } = stage;
  trace({ event: 'step', ja: '接続してツールを一覧', en: 'connect and list the tools' });
  await untilListed(cloud, 'calculate');
  await expectAnswer('1004に328を掛けた結果は？', '計算結果は329312です');

  trace({ event: 'step', ja: '話しかけて答えを聞く', en: 'speak, and hear the answer' });
  await stage.ready();
  await speakTurn(stage, trace, QUESTIONS[speech], 'The result is 329312.');

  trace({ event: 'step', ja: '答えをさえぎる', en: 'interrupt an answer' });
  await interrupt(stage, trace, QUESTIONS[speech]);

  trace({ event: 'step', ja: '回線を切断', en: 'cut the line' });
  const cut = performance.now();
  await reset(await cloud.ready());
  await untilListed(cloud, 'calculate');
  trace({ event: 'recovered', from: 'the cut line', ms: performance.now() - cut });
  await expectAnswer('What is 15 percent of 80?', 'The result is 12.');

  trace({ event: 'step', ja: '計算サーバーを強制終了', en: 'kill the calculator' });
  const [pid = 0] = calculators(appliance);
  process.kill(pid, 'SIGKILL');
  trace({ event: 'killed', server: 'calculator', pid });
  const killed = performance.now();
  await until('the dead process is noticed', () => calculators(appliance).some((other) => other !== pid));
  await expectAnswer('100から25を引いて3を掛けるといくつですか？', '計算結果は225です');
  trace({ event: 'recovered', from: 'the dead server', ms: performance.now() - killed });

  trace({ event: 'step', ja: '停止', en: 'stop' });
  const { code, ms } = await appliance.stop();
  trace({ event: 'stopped', code, ms });
  assert.equal(code, 0, 'exit code of a stop that was asked for');
  assert.deepEqual(await appliance.leftovers(1000), [], 'processes left behind');

  async function expectAnswer(question: string, expected: string): Promise<void> {
    const { text } = await ask(cloud, trace, question);
    if (text !== expected) throw new Error(`expected the answer "${expected}", got "${text}"`);
  }
}

/** The same question for who hears tones and for who hears words. */
const QUESTIONS = {
  tones: 'What is 1004 times 328?',
  real: 'what is one thousand four times three hundred twenty eight',
} as const;

function calculators(appliance: Appliance): number[] {
  const all = appliance.processes().filter(({ command }) => command.includes('servers/calculator.js'));
  return all.map(({ pid }) => pid);
}

async function until(what: string, isSo: () => boolean, ms = 10_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`expected within ${ms} ms that ${what}`);
    await sleep(5);
  }
}
