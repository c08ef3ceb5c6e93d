import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ledOf } from '../../../../device/terminal/light.ts';
import { TerminalLink } from '../../../../device/terminal/link.ts';
import { COMMAND, type Message } from '../../../../device/terminal/message.ts';
import { TIMING } from '../../../../device/terminal/timing.ts';
import { FakeClock } from '../../fake-clock.ts';

const text = readFileSync(join(import.meta.dirname, '../../../../device/terminal/PROTOCOL.md'), 'utf8');
const lines = [...text.matchAll(/^([<>]) ((?:[0-9a-f]{2} ?)+)$/gm)];

test('the exchange in PROTOCOL.md is what the code says, byte for byte', () => {
  assert.ok(lines.length > 10);
  const clock = new FakeClock();
  const said: string[] = [];
  const heard: Message[] = [];
  const link: TerminalLink = new TerminalLink({
    clock,
    timing: TIMING,
    memory: { host: 'aivoice-5f3a91c2', bootId: undefined, heardSeq: undefined, sentSeq: 0 },
    write: (bytes) => said.push(Buffer.from(bytes).toString('hex')),
    onUp: () => {
      link.put(COMMAND.led, { ...ledOf('listening', 40) });
      link.put(COMMAND.volume, { level: 60 });
      link.put(COMMAND.mute, { on: false });
      link.put(COMMAND.getState, {});
    },
    onDown: () => {},
    onMessage: (message) => heard.push(message),
    onReply: () => {},
    onEnd: assert.fail,
  });
  for (const [, direction, hex = ''] of lines) {
    const bytes = hex.replaceAll(' ', '');
    if (direction === '>') assert.equal(said.shift(), bytes);
    else {
      assert.deepEqual(said, [], 'nothing more than the document has');
      link.receive(Buffer.from(bytes, 'hex'));
    }
  }
  assert.deepEqual(heard, [{ kind: 'button', id: 'main', action: 'press' }]);
  link[Symbol.dispose]();
  assert.equal(clock.armed, 0);
});
