import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Tongue } from '../language.ts';
import type { Tool } from '../stdio.ts';
import type { Answer } from './calculate.ts';

const DESCRIPTION =
  'Evaluates one expression: arithmetic (^ or ** is power), math, statistics and random functions, comparisons, ' +
  'A if C else B, complex numbers, units (5 ft 7 in to cm; 1 TB = 1000 GB; no currencies). Python spelling works. ' +
  'Percent: a % with an operand after it is the remainder (10 % 3 = 1), otherwise a percentage ' +
  '(15% of 80 = 12, 80+15% = 92). Angles are radians unless given in deg. round() goes half away from zero.';

/** `calculate {expression}`: one text item with the JSON of the answer, and the same as structured content. */
export function calculateTool(tongue: Tongue): CalculateTool {
  let loading: Promise<typeof import('./calculate.ts')> | undefined;
  const answer = async (expression: unknown): Promise<Answer> => {
    // Loaded by the first call, so that the process is ready to serve 20 ms sooner.
    loading ??= import('./calculate.ts');
    const { calculate, missingExpression } = await loading;
    if (typeof expression !== 'string' && typeof expression !== 'number') return missingExpression(tongue);
    return calculate(String(expression), { tongue });
  };
  return {
    name: 'calculate',
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: { expression: { type: 'string', description: 'For example 1004*328 or 15% of 80' } },
      required: ['expression'],
    },
    annotations: { title: 'Calculator', readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    run: async ({ expression }) => resultOf(await answer(expression)),
  };
}

interface CalculateTool extends Tool {
  run(args: Record<string, unknown>): Promise<CallToolResult>;
}

function resultOf(answer: Answer): CallToolResult {
  const content = [{ type: 'text' as const, text: JSON.stringify(answer) }];
  const structuredContent = { ...answer };
  return answer.status === 'error'
    ? { content, structuredContent, isError: true }
    : { content, structuredContent };
}
