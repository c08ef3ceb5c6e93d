import type { Tool } from '../stdio.ts';

/** Says back what it was given: the shortest way to see whether a whole line of servers works. */
export const echo: Tool = {
  name: 'echo',
  description: 'Returns the given text unchanged. 渡された文をそのまま返します。',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'The text to return' } },
    required: ['text'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run({ text }) {
    if (typeof text !== 'string') {
      return { content: [{ type: 'text', text: 'echo needs a text.' }], isError: true };
    }
    return { content: [{ type: 'text', text }], structuredContent: { text } };
  },
};
