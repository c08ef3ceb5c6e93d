import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HEARD_HZ } from '../../cloud/voice/speech.ts';
import { HEARS, SAYS } from '../../image/provisioning.ts';
import { seconds } from './first-boot.ts';
import { MINUTE, type Scene } from './scene.ts';

const QUESTION = 'What is 1004 times 328?';
const ANSWER = 'The result is 329312.';
const HEARD = '/tmp/heard.raw';
const PLAYED_HZ = 48_000;

/** A press of the button, a question into the microphone, the answer out of the speaker. */
export async function askedBySound(scene: Scene): Promise<void> {
  const { report, board } = scene;
  await report.step(
    'a question by sound is answered by sound',
    { ms: 5 * MINUTE, onFail: () => log(scene) },
    async () => {
      await bring(scene, QUESTION);
      const { voice, terminal, speech } = scene.house;
      const listening = Promise.all([
        voice.next('listening', ({ event }) => event === 'listen-start', MINUTE),
        voice.next('sound', ({ event }) => event === 'audio', MINUTE),
      ]);
      assert.ok(terminal.press() && terminal.release(), 'the terminal is linked');
      await listening;
      const answering = voice.next('the answer', ({ event }) => event === 'tts-stop', 3 * MINUTE);
      const understood = voice.next('what was understood', ({ event }) => event === 'understood', 2 * MINUTE);
      await board.shell.get(
        `rm -f ${HEARD}; arecord -q -D ${HEARS} -t raw -f S16_LE -r ${PLAYED_HZ} -c 1 -d 60 ${HEARD} >/dev/null 2>&1 & echo $! > /tmp/recorder`,
      );
      await board.shell.get(
        `aplay -q -D ${SAYS} -t raw -f S16_LE -r ${HEARD_HZ} -c 1 /tmp/question.raw`,
        MINUTE,
      );
      const { text } = (await understood) as { readonly text?: string };
      assert.equal(text, QUESTION);
      const again = voice.next('it listens again', ({ event }) => event === 'listen-start', 2 * MINUTE);
      await answering;
      await again; // only when the last sample was heard
      await board.shell.get(`kill $(cat /tmp/recorder); sleep 1; chmod 644 ${HEARD}`);
      const played = await fetched(scene);
      const heard = await speech.recognise(played, PLAYED_HZ);
      assert.equal(heard, ANSWER);
      return heard;
    },
  );
}

async function bring({ owner, house, folder }: Scene, question: string): Promise<void> {
  const file = join(folder, 'question.raw');
  const sound = await house.speech.question(question);
  writeFileSync(file, Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength));
  const done = await owner.ssh('cat > /tmp/question.raw', { input: file });
  assert.equal(done.code, 0, done.stderr);
}

async function fetched({ owner, folder, report }: Scene): Promise<Int16Array> {
  const into = join(folder, 'heard.raw');
  const done = await owner.ssh(`cat ${HEARD}`, { into });
  assert.equal(done.code, 0, done.stderr);
  const bytes = readFileSync(into);
  report.number('recordedS', seconds((bytes.length / 2 / PLAYED_HZ) * 1000));
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
}

/** What the appliance, the cloud and the terminal say of the last minute. */
async function log({ board, house }: Scene): Promise<string> {
  const { output } = await board.shell.run('journalctl -b --no-pager -o cat -n 25 -u aivoice');
  const cloud = house.voice.events.filter(({ event }) => event !== 'audio' && event !== 'packet-sent');
  const terminal = house.terminal.record.map(({ what, payload }) => `${what} ${JSON.stringify(payload)}`);
  return [output, ...cloud.slice(-12).map((event) => JSON.stringify(event)), ...terminal.slice(-8)].join(
    '\n',
  );
}
