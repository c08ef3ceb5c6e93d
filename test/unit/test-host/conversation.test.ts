import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Line, trimmed } from '../../host/conversation.ts';

const turn = (question: string): Line[] => [
  { role: 'user', content: question },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: question, type: 'function', function: { name: 'look', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: question, content: 'blue' },
  { role: 'assistant', content: 'Blue.' },
];
const LENGTH = 'one'.length + 'look{}'.length + 'blue'.length + 'Blue.'.length;

describe('a conversation is cut between turns only', () => {
  const lines = [...turn('one'), ...turn('two'), ...turn('six')];

  it('by number', () => {
    assert.deepEqual(trimmed(lines, { turns: 2, characters: 1000 }), [...turn('two'), ...turn('six')]);
    assert.deepEqual(trimmed(lines, { turns: 9, characters: 1000 }), lines);
  });

  it('by length, and the newest turn stays', () => {
    const two = [...turn('two'), ...turn('six')];
    assert.deepEqual(trimmed(lines, { turns: 9, characters: 3 * LENGTH - 1 }), two);
    assert.deepEqual(trimmed(lines, { turns: 9, characters: 2 * LENGTH }), two);
    assert.deepEqual(trimmed(lines, { turns: 9, characters: 1 }), turn('six'));
  });

  it('and what stands before the first turn is dropped', () => {
    assert.deepEqual(
      trimmed([...turn('one').slice(2), ...turn('two')], { turns: 9, characters: 1000 }),
      turn('two'),
    );
  });
});
