import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../../device/kernel/fault.ts';
import { PART, startBench } from './bench.ts';

test('say puts the question and prints the answer, a line a sentence', async () => {
  const asked: string[] = [];
  await using bench = await startBench([], {
    say: async (text, onSentence) => {
      asked.push(text);
      onSentence('計算結果は\n329312です。');
      onSentence('\u001b[31mほかに？');
      return { sentences: ['計算結果は\n329312です。', 'ほかに？'] };
    },
  });
  const { code, out, err } = await bench.run('say', ' 1004に328を掛けた結果は？ ');
  assert.deepEqual([code, err], [0, '']);
  assert.equal(out, '計算結果は 329312です。\n\ufffd[31mほかに？\n', 'nothing steers the screen');
  assert.deepEqual(asked, ['1004に328を掛けた結果は？']);
});

test('say --json prints question and answer as one object at the end', async () => {
  await using bench = await startBench([], {
    say: async (_text, onSentence) => {
      onSentence('It is noon.');
      return { sentences: ['It is noon.'] };
    },
  });
  const { code, out } = await bench.run('say', 'What time is it?', '--json');
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(out), { schema: 1, text: 'What time is it?', sentences: ['It is noon.'] });
});

test('say exits with 1 and a code where nobody answers, after the sentences that came', async () => {
  const faults = ['VOICE_OFF', 'VOICE_BUSY', 'NET_DOWN', 'MUTED'] as const;
  for (const fault of faults) {
    await using bench = await startBench([], {
      say: async (_text, onSentence) => {
        if (fault === 'NET_DOWN') onSentence('The result');
        throw new Fault(fault, '');
      },
    });
    const { code, out, err } = await bench.run('say', 'Hello?');
    assert.deepEqual([code, out], [1, fault === 'NET_DOWN' ? 'The result\n' : '']);
    assert.match(err, new RegExp(`^${fault}: [^\\n]+\\n$`));
  }
});

test('say tells what the status knows of the cause: the digits to enter, what a server answered', async () => {
  const part = { ...PART, name: 'voice', kind: 'voice', state: 'degraded' } as const;
  for (const [code, reason, told, language] of [
    ['VOICE_CODE', 'code 471108', ' (code 471108)', 'en_US'],
    ['VOICE_CODE', 'code 471108', '（コード 471108）', 'ja_JP'],
    ['VOICE_NOT_REGISTERED', 'expected HTTP 200, got 403', '（HTTP 403 の応答）', 'ja_JP'],
    ['VOICE_SILENT', 'the last exchange failed', '（質問に答えがありませんでした）', 'ja_JP'],
    ['VOICE_CODE', 'code 471108', ' (コード 471108 / code 471108)', 'C'],
  ] as const) {
    const say = async () => {
      throw new Fault(code, 'the question was not answered');
    };
    await using bench = await startBench([{ ...part, code, reason }], { say }, { LANG: `${language}.UTF-8` });
    const { err } = await bench.run('say', 'Hello?');
    assert.ok(err.startsWith(`${code}: `) && err.endsWith(`${told}\n`), err);
  }
});

test('an answer without words is no answer', async () => {
  await using bench = await startBench([], { say: async () => ({ sentences: [] }) });
  const { code, out, err } = await bench.run('say', 'Hello?');
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^VOICE_SILENT: .*\(the answer has no words\)\n$/);
});

test('say refuses an empty and a long question before it asks anybody', async () => {
  await using bench = await startBench(undefined);
  for (const text of ['', ' \n', 'x'.repeat(1001)]) {
    const { code, err } = await bench.run('say', text);
    assert.equal(code, 64);
    assert.match(err, /^USAGE: .*\(text: expected /);
  }
});
