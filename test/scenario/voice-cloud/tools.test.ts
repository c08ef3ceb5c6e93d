import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { startCloud } from '../../cloud/cloud.ts';
import type { Message } from '../../cloud/message.ts';
import { SAID_HZ } from '../../cloud/voice/speech.ts';
import { tones } from '../../cloud/voice/tones.ts';
import { startVoiceCloud } from '../../cloud/voice/voice-cloud.ts';
import { Doll } from './doll.ts';

const speech = tones();

/** A tool endpoint's far side with a calculator that knows one result. */
function serveCalculator(endpoint: string): void {
  const socket = new WebSocket(endpoint);
  const answers: Record<string, unknown> = {
    initialize: { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 'doll' } },
    ping: {},
    'tools/list': {
      tools: [
        { name: 'calculate', inputSchema: { type: 'object' } },
        { name: 'calculator', inputSchema: { type: 'object' } },
      ],
    },
    'tools/call': { content: [{ type: 'text', text: '{"result":"329312"}' }] },
  };
  socket.on('message', (data) => {
    const { id, method } = JSON.parse(String(data)) as Message;
    if (id !== undefined) socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method ?? ''] }));
  });
}

describe('tools and the voice cloud', () => {
  it('answers with what a tool on the tool endpoint says', async () => {
    await using tools = await startCloud();
    serveCalculator(tools.endpoint);
    await using cloud = await startVoiceCloud({ speech, tools, mode: 'self-hosted', mcp: 'never' });
    await using doll = await Doll.greet(cloud);
    doll.listen('start', { mode: 'manual' });
    await doll.speak(await speech.question('what is 1004 times 328?'));
    doll.listen('stop');
    await doll.expect('tts', 'stop');
    assert.match((await cloud.first('tool-called')).tool, /^calcul/);
    const said = (await doll.expect('tts', 'sentence_start')).message?.text;
    assert.match(String(said), /329,?312/);
    assert.equal(await speech.recognise(await doll.played(), SAID_HZ), said);
    assert.equal(doll.story.filter((what) => what === 'stt').length, 2); // the question, and the tool on display
  });

  for (const mode of ['real', 'self-hosted'] as const) {
    for (const mcp of ['before', 'after'] as const) {
      it(`learns the appliance's own tools page by page and calls them (${mode}, ${mcp} the hello reply)`, async () => {
        await using cloud = await startVoiceCloud({ speech, mode, mcp });
        await using doll = await Doll.greet(cloud);
        assert.deepEqual((await cloud.first('device-tools')).names, [
          'self.tool_0',
          'self.tool_1',
          'self.tool_2',
        ]);
        const session = await cloud.session(1);
        const { content } = await session.callTool('self.tool_1', { volume: 3 });
        assert.equal(content[0]?.text, '{"name":"self.tool_1","arguments":{"volume":3}}');
        const ids = doll.came.record
          .filter(({ message }) => message?.type === 'mcp')
          .map(({ message }) => (message!.payload as Message).id);
        assert.deepEqual(ids, mode === 'real' ? [1, 2, 3, 4, 5] : [1, 2, 2, 2, 1]);
        const first = doll.came.record[0]?.message?.type;
        assert.equal(first, mcp === 'before' ? 'mcp' : 'hello');
      });
    }
  }
});
