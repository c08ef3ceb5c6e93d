import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budgetFor, CLOUD_BUDGET, fitResult } from '../../../bridge/budget.ts';
import { textResult } from './fake-server.ts';

interface Fitted {
  readonly content: { readonly type: string; readonly text: string }[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
}

function fit(result: unknown, budget = CLOUD_BUDGET): Fitted {
  const json = typeof result === 'string' ? result : JSON.stringify(result);
  const { json: fitted } = fitResult(json, budget);
  assert.ok(Buffer.byteLength(fitted) <= budget, `${Buffer.byteLength(fitted)} > ${budget}`);
  return JSON.parse(fitted) as Fitted;
}

test('auto follows who is at the other end, a number and off do not', () => {
  assert.equal(budgetFor('auto', 'xz-mcp-broker'), 8000);
  assert.equal(budgetFor('auto', 'XiaozhiMCPEndpointClient'), Infinity);
  assert.equal(budgetFor('auto', undefined), Infinity);
  assert.equal(budgetFor('off', 'xz-mcp-broker'), Infinity);
  assert.equal(budgetFor(5000, undefined), 5000);
});

test('a long text is cut as late as possible and marked with its whole size', () => {
  const fitted = fit(textResult('あ'.repeat(5000)));
  const [item] = fitted.content;
  assert.match(
    item?.text ?? '',
    /^あ+… \[truncated: 続きは送られていない.* not sent.* smaller part; 15000 bytes in all\]$/,
  );
  assert.ok(Buffer.byteLength(JSON.stringify(fitted)) > CLOUD_BUDGET - 4);
});

test('escapes that need not be are the first to go, then the structured copy, and neither is a cut', () => {
  const escaped = JSON.stringify(textResult('あ'.repeat(2000))).replaceAll('あ', '\\u3042');
  assert.deepEqual(fit(escaped), textResult('あ'.repeat(2000)));
  const text = 'x'.repeat(5000);
  assert.deepEqual(fit({ ...textResult(text), structuredContent: { text } }), textResult(text));
});

test('that a result is an error is kept, whatever is cut', () => {
  assert.equal(fit({ ...textResult('x'.repeat(20_000)), isError: true }).isError, true);
  assert.equal(fit({ ...textResult('x'), extra: 'y'.repeat(20_000), isError: true }).isError, true);
  assert.equal(fit({ ...textResult('x'.repeat(9000)), isError: 'z'.repeat(9000) }).isError, undefined);
});

test('the head of a list is kept: the first text is the answer', () => {
  const items = Array.from({ length: 5000 }, (_, index) => ({ type: 'text', text: `line ${index}` }));
  const { content } = fit({ content: items });
  assert.deepEqual(content.slice(0, 100), items.slice(0, 100));
  assert.match(content.at(-1)?.text ?? '', /truncated/);
});

test('an image is left out and named, what can be read stays', () => {
  const image = { type: 'image', data: 'A'.repeat(100_000), mimeType: 'image/png' };
  assert.deepEqual(fit({ content: [{ type: 'text', text: 'a cat' }, image] }).content, [
    { type: 'text', text: 'a cat' },
    { type: 'text', text: '[image omitted: too large for this line]' },
  ]);
});

test('a structured result without text becomes text', () => {
  const { content, structuredContent } = fit({ content: [], structuredContent: { rows: 'x'.repeat(9000) } });
  assert.match(content[0]?.text ?? '', /^\{"rows":"x+… \[truncated/);
  assert.equal(structuredContent, undefined);
});

test('what is no result is still kept within the budget', () => {
  const big = 'x'.repeat(20_000);
  const monsters: unknown[] = [
    JSON.stringify(big),
    [big],
    { content: big },
    { content: { text: big } },
    { content: [null, 5, big, [big], { text: 5 }, { type: { toString: 1, valueOf: 1 }, data: big }] },
    { content: [{ type: big, data: big }] },
    { content: [{ type: 'text', text: '', annotations: big }] },
    { [big]: big },
    { _meta: big, content: [], structuredContent: null },
  ];
  for (const monster of monsters)
    assert.ok(Array.isArray(fit(monster).content), JSON.stringify(monster).slice(0, 50));
  const millions = JSON.stringify('y'.repeat(3_000_000));
  const startedAt = performance.now();
  fit(millions);
  fit(`{"content":[${'null,'.repeat(500_000)}null]}`);
  assert.ok(performance.now() - startedAt < 5000);
});

test('no result exceeds any budget, and none is cut inside a character', () => {
  const pieces = ['a', 'あ', '😀', '👨‍👩‍👧', '"', '\\', '\n', '\u0001', '\u2028', 'é', 'が'];
  let state = 99;
  const random = (below: number) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  const text = (most: number) => {
    const piece = pieces[random(pieces.length)] as string;
    const mixed = Array.from({ length: random(40) }, () => pieces[random(pieces.length)]).join('');
    return random(2) === 0 ? piece.repeat(random(most)) : mixed.repeat(random(most / 20));
  };
  for (let round = 0; round < 400; round++) {
    const budget = 256 + random(4000);
    const content = Array.from({ length: random(6) }, () =>
      random(5) === 0 ? { type: 'audio', data: text(4000) } : { type: 'text', text: text(4000) },
    );
    const isError = random(2) === 0;
    const { content: kept, ...rest } = fit(
      {
        content,
        ...(isError ? { isError } : {}),
        ...(random(3) === 0 ? { structuredContent: { t: text(4000) } } : {}),
      },
      budget,
    );
    assert.equal(rest.isError ?? false, isError);
    for (const { text } of kept) if (text !== undefined) assert.doesNotMatch(text, /[\ud800-\udfff]/u);
  }
});
