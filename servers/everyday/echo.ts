import type { Tool } from '../stdio.ts';
import { failed, said } from './answer.ts';

/** Says back what it was given: the shortest way to see whether a whole line of servers works. */
export const echo: Tool = {
  name: 'echo',
  description: 'Returns the given text unchanged (渡された文をそのまま返す).',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'The text to return' } },
    required: ['text'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run({ text }) {
    return typeof text === 'string' ? said(text, { text }) : failed('ECHO_ARGUMENT', 'echo needs a text.');
  },
};
