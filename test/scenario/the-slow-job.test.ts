import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { Home } from './home.ts';
import { runProgram } from './program.ts';

const MAIN = join(import.meta.dirname, '..', 'bench', 'main.ts');

for (const [language, questions, answers] of [
  [
    'English',
    ['start the slow job', 'is it finished?'],
    ['It has begun, as t1.', 'Yes. The slow job took 3 s.'],
  ],
  [
    'Japanese',
    ['時間のかかる仕事を始めて', '終わりましたか？'],
    ['始めました。番号はt1です', 'はい。The slow job took 3 s.'],
  ],
] as const) {
  it(`a slow job is begun in one question and asked for in the next, in ${language}`, async () => {
    using home = new Home();
    const asked = questions.flatMap((question) => ['--ask', question]);
    const place = { cwd: home.work, env: home.env };
    const { code, stdout } = await runProgram([MAIN, ...asked], place, 60_000);
    assert.deepEqual([code, stdout], [0, `${answers.join('\n')}\n`]);
  });
}
