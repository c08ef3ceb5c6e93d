import { tongueOf } from '../language.ts';
import { serve, type Tool } from '../stdio.ts';
import type { Answer } from './calculate.ts';

const DESCRIPTION =
  'Evaluates one expression exactly: arithmetic, powers (^ or **), math/statistics/random functions, ' +
  'comparisons, "A if C else B", lists, complex numbers, units ("5 ft 7 in to cm"; 1 TB = 1000 GB; no currencies). ' +
  'Python spelling and full-width digits work. ' +
  '% with an operand after it is the remainder (10 % 3 = 1), else a percentage: 15% of 80 = 12, 80+15% = 92. ' +
  'Trigonometry is in radians unless a unit is given: sin(30 deg). round() goes half away from zero.';

/** Long after a host has listed the tools, and before anybody has asked: loading takes 20 ms. */
const WARM_UP_MS = 1500;

const tongue = tongueOf(process.env);
setTimeout(() => void answer('1/3 + sqrt(2)'), WARM_UP_MS).unref();
await serve({ name: 'calculator', tools: [calculateTool()] });

function calculateTool(): Tool {
  return {
    name: 'calculate',
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: { expression: { type: 'string', description: 'For example 1004*328 or 15% of 80' } },
      required: ['expression'],
    },
    annotations: { title: 'Calculator', readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    run: async ({ expression }) => {
      const result = await answer(expression);
      return {
        content: [{ type: 'text', text: JSON.stringify(result) }],
        structuredContent: { ...result },
        ...(result.status === 'error' ? { isError: true } : {}),
      };
    },
  };
}

/** The evaluator is loaded by the first call, or by the warm-up, so that the process is ready to serve sooner. */
async function answer(expression: unknown): Promise<Answer> {
  const { calculate, missingExpression } = await import('./calculate.ts');
  if (typeof expression === 'string') return calculate(expression, { tongue });
  if (typeof expression === 'number') return calculate(String(expression), { tongue });
  return missingExpression(tongue);
}
