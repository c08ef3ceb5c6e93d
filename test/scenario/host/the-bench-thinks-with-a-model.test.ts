import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openaiBrain } from '../../cloud/brain/openai.ts';
import { type ModelScript, startModelService, words } from '../../cloud/model-service.ts';
import { tones } from '../../cloud/voice/tones.ts';
import { startVoiceCloud } from '../../cloud/voice/voice-cloud.ts';
import { openaiModel } from '../../host/model.ts';
import { Home } from '../home.ts';
import { leftoversWith } from '../processes.ts';
import { runProgram } from '../program.ts';
import { Doll } from '../voice-cloud/doll.ts';
import { SEED_ANSWERS, SEEDS, seedModel } from './seeds.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');

/** A voice cloud whose brain is this model. */
async function startThinking(script: ModelScript) {
  await using made = new AsyncDisposableStack();
  const service = made.use(await startModelService(script));
  const brain = openaiBrain(openaiModel({ model: 'm', baseUrl: service.baseUrl }));
  const cloud = made.use(await startVoiceCloud({ speech: tones(), mcp: 'never', brain }));
  const held = made.move();
  return { service, cloud, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

describe('the bench with a language model', () => {
  it('answers a question through the whole appliance, in any language', async () => {
    using home = new Home();
    await using service = await startModelService(seedModel);
    const model = ['--brain', 'openai', '--base-url', service.baseUrl, '--model', 'm'];
    const asked = SEEDS.slice(0, 2).flatMap(({ question }) => ['--ask', question]);
    const place = { cwd: home.work, env: home.env };
    const { code, stdout } = await runProgram([MAIN, ...model, ...asked], place, 60_000);
    assert.deepEqual([code, stdout], [0, `${SEED_ANSWERS.slice(0, 2).join('\n')}\n`]);
    // It is one conversation, with the appliance's tools under their own names.
    const { messages, tools } = service.requests.at(-1)!;
    assert.equal(messages.filter(({ role }) => role === 'user').length, 2);
    assert.ok(tools?.some((tool) => tool.function.name === 'calculate_bmi'));
    assert.deepEqual(await leftoversWith(home.mark, 1000), []);
  });

  it('says what went wrong where the model cannot be asked, and the exit code is 1', async () => {
    using home = new Home();
    await using service = await startModelService(() => ({ status: 401, message: 'no key' }));
    const model = ['--brain', 'openai', '--base-url', service.baseUrl, '--model', 'm'];
    const place = { cwd: home.work, env: home.env };
    const { code, stdout } = await runProgram([MAIN, ...model, '--ask', 'hello?'], place, 60_000);
    assert.deepEqual([code, stdout], [1, 'That did not work: 401 no key\n']);
  });

  it('wants to know which model, and a question for it', async () => {
    using home = new Home();
    const place = { cwd: home.work, env: home.env };
    const url = ['--base-url', 'http://127.0.0.1:1/v1'];
    for (const args of [
      ['--brain', 'openai', '--ask', 'hello?'],
      ['--brain', 'openai', ...url, '--ask', 'hello?'],
      ['--brain', 'openai', ...url, '--model', 'm'],
      ['--brain', 'openai', '--base-url', 'file:///v1', '--model', 'm', '--ask', 'hello?'],
      [...url, '--ask', 'hello?'],
      ['--brain', 'other', '--ask', 'hello?'],
    ])
      assert.equal((await runProgram([MAIN, ...args], place)).code, 64, args.join(' '));
  });

  it('speaks the first sentence while the model still thinks about the second', async () => {
    await using scene = await startThinking(() => ({
      deltas: [{ content: 'It is sunny. ' }, { content: 'Take' }, { content: ' a hat.' }],
      pauseMs: 400,
    }));
    const { cloud } = scene;
    await using doll = await Doll.greet(cloud);
    doll.listen('detect', { text: 'how is the weather?' });
    await doll.expect('tts', 'stop');
    assert.deepEqual(doll.story.slice(1), [
      'stt',
      'llm',
      'tts start',
      'tts sentence_start',
      'tts sentence_start',
      'tts stop',
    ]);
    const said = doll.came.record.filter(({ message }) => message?.state === 'sentence_start');
    assert.deepEqual(
      said.map(({ message }) => message?.text),
      ['It is sunny.', 'Take a hat.'],
    );
    assert.ok((await cloud.first('sentence-start')).at < (await cloud.first('answer')).at);
    assert.equal((await cloud.first('answer')).text, 'It is sunny. Take a hat.');
  });

  it('lets go of the model where the answer is cut off, and the next question is answered', async () => {
    await using scene = await startThinking((_, number) =>
      number === 1 ? { deltas: [{ content: 'It is sunny. ' }], end: 'silent' } : words('No.'),
    );
    await using doll = await Doll.greet(scene.cloud);
    doll.listen('detect', { text: 'how is the weather?' });
    await doll.expect('tts', 'sentence_start');
    doll.say({ type: 'abort', reason: 'wake_word_detected' });
    await scene.service.dropped(1);
    doll.listen('detect', { text: 'and rain?' });
    await doll.came.expect('the next answer', ({ message }) => message?.text === 'No.', 5000);
  });
});
