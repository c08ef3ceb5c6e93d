import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { ControlServer } from '../../../../device/console/control.ts';
import type { ControlHandlers } from '../../../../device/console/request.ts';
import { createLog } from '../../../../device/kernel/log.ts';
import { FakeClock } from '../../fake-clock.ts';

interface Scene extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly client: Socket;
  /** The next line of the answer. */
  next(): Promise<unknown>;
}

/** A client that has asked a question, which `say` answers. */
async function asking(say: ControlHandlers['say']): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-say-'));
  const path = join(folder, 'control.sock');
  const clock = new FakeClock();
  const log = createLog({ wall: () => 0, sink: () => {} });
  const handlers = { say } as ControlHandlers;
  const run = await new ControlServer({ path, clock, log, handlers }).start();
  const client = connect(path).on('error', () => {});
  client.write('{"verb":"say","text":"Hello?"}\n');
  const lines = createInterface(client)[Symbol.asyncIterator]();
  return {
    clock,
    client,
    next: async () => JSON.parse((await lines.next()).value ?? 'null'),
    async [Symbol.asyncDispose]() {
      client.destroy();
      await run[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

test('sentences go out as they come, and all of them with the end', async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  await using scene = await asking(async (text, onSentence) => {
    onSentence(`You said ${text}`);
    await ended;
    return { sentences: [`You said ${text}`, 'Bye.'] };
  });
  assert.deepEqual(await scene.next(), { sentence: 'You said Hello?' }, 'before the answer has ended');
  end();
  assert.deepEqual(await scene.next(), { done: true, sentences: ['You said Hello?', 'Bye.'] });
});

test('an answer that does not end within two minutes has its turn ended', async () => {
  let begin: (signal: AbortSignal) => void = () => {};
  const begun = new Promise<AbortSignal>((resolve) => {
    begin = resolve;
  });
  await using scene = await asking((_text, onSentence, signal) => {
    onSentence('Well');
    begin(signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        onSentence('too late');
        reject(new Error('given up'));
      });
    });
  });
  const signal = await begun;
  await scene.clock.advance(119_000);
  assert.equal(signal.aborted, false);
  await scene.clock.advance(1000);
  assert.deepEqual(await scene.next(), { sentence: 'Well' });
  const { error } = (await scene.next()) as { error: { code: string } };
  assert.deepEqual([error.code, signal.aborted], ['VOICE_SILENT', true]);
});

test('a client that leaves has its question withdrawn', async () => {
  let begin: (signal: AbortSignal) => void = () => {};
  const begun = new Promise<AbortSignal>((resolve) => {
    begin = resolve;
  });
  await using scene = await asking((_text, _onSentence, signal) => {
    begin(signal);
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const signal = await begun;
  scene.client.destroy();
  if (!signal.aborted) await once(signal, 'abort');
  assert.equal(signal.aborted, true);
});
