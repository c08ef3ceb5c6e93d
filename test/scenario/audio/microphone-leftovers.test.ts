import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFiles } from '../processes.ts';
import { CardFolder, MicrophoneScene, RECORDER_FILE } from './microphone-scene.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'audio');

it('twenty fast cycles of listening leave no process and no open file', async () => {
  await using scene = new MicrophoneScene();
  await scene.ready();
  const before = openFiles(process.pid);
  for (let cycle = 0; cycle < 20; cycle++) {
    const listening = scene.microphone.listen(() => {});
    await sleep(cycle * 10); // some are over before the first sound
    listening[Symbol.dispose]();
  }
  assert.deepEqual(await scene.folder.leftovers(2000), []);
  assert.equal((await scene.hear(320)).length, 320);
  assert.deepEqual(await scene.folder.leftovers(2000), []);
  await sleep(100); // a pipe is closed a turn after its process
  assert.ok(openFiles(process.pid) <= before + 2, `open files ${before} -> ${openFiles(process.pid)}`);
  assert.deepEqual(scene.folder.log('refused'), []);
  assert.equal(scene.part().restarts, 0);
});

it('an appliance that stops while somebody listens takes its recorder along', async () => {
  const scene = new MicrophoneScene({ card: { deafMs: 5000 } });
  await scene.ready();
  scene.microphone.listen(() => {});
  await scene.hear(320);
  const { folder } = scene;
  const [recorder] = folder.recorders();
  assert.ok(recorder);
  await scene[Symbol.asyncDispose]();
  assert.deepEqual(folder.recorders(), []);
});

it('an appliance that is killed leaves no recorder that holds the card', async () => {
  using folder = new CardFolder({});
  const program = spawn(process.execPath, [join(FIXTURES, 'microphone-alone.ts'), RECORDER_FILE], {
    env: folder.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(program.stdout, 'data');
  assert.equal(folder.recorders().filter(({ command }) => !command.includes('microphone-alone')).length, 1);
  program.kill('SIGKILL');
  await once(program, 'exit');
  assert.deepEqual(await folder.leftovers(1000), []);
});

for (const free of [0, 2, 5, 8, 11]) {
  it(`a machine with ${free} open files left says so, and no error goes unhandled`, () => {
    using folder = new CardFolder({});
    const line = 'ulimit -n 80; exec "$0" "$@"';
    const program = join(FIXTURES, 'recorder-short-of-files.ts');
    const { stdout, stderr } = spawnSync(
      '/bin/sh',
      ['-c', line, process.execPath, program, RECORDER_FILE, `${free}`],
      {
        encoding: 'utf8',
        env: folder.env,
      },
    );
    assert.deepEqual([stdout, stderr], ['AUDIO_LOST cannot start arecord: EMFILE\nthen it starts\n', '']);
  });
}
