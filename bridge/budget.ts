/** How large a result may be toward the cloud: `auto` follows who is at the other end, `off` never cuts. */
export type BudgetSetting = 'auto' | 'off' | number;

/** The real cloud's response limit is 8,192 bytes (cloud protocol 1.6); this leaves room for the envelope. */
export const CLOUD_BUDGET = 8000;
/** How the real cloud's broker names itself in `initialize`. Self-hosted ones have no such limit. */
export const CLOUD_CLIENT = 'xz-mcp-broker';

/** The budget in bytes, decided by the first `initialize` of a socket. */
export function budgetFor(setting: BudgetSetting, clientName: unknown): number {
  if (setting === 'off') return Infinity;
  if (setting !== 'auto') return setting;
  return clientName === CLOUD_CLIENT ? CLOUD_BUDGET : Infinity;
}

interface Item {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly [field: string]: unknown;
}

interface Result {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly [field: string]: unknown;
}

/**
 * A tools/call result in at most `budget` bytes of JSON in UTF-8. What is dearest goes first: escapes that need not be,
 * the structured copy of what the text says, what cannot be read out (images), and then the end of the text, at a code
 * point and marked.
 */
export function fitResult(json: string, budget: number): string {
  const result = JSON.parse(json) as Result;
  const plain = JSON.stringify(result);
  if (bytesOf(plain) <= budget) return plain;
  const { structuredContent, _meta, ...rest } = result;
  const content = Array.isArray(rest.content) ? (rest.content as Item[]) : [];
  if (content.length === 0)
    return fitContent(rest, [{ type: 'text', text: JSON.stringify(structuredContent ?? {}) }], budget);
  const lean = JSON.stringify(rest);
  return bytesOf(lean) <= budget ? lean : fitContent(rest, content, budget);
}

function fitContent(rest: Result, content: readonly Item[], budget: number): string {
  const items = content.map((item) => (typeof item.text === 'string' ? item : omitted(item)));
  const whole = JSON.stringify({ ...rest, content: items });
  if (bytesOf(whole) <= budget) return whole;
  // Only the head of the list is kept: the first text is the answer, what follows are additions.
  const kept: Item[] = [];
  let room = budget - bytesOf(JSON.stringify({ ...rest, content: [] }));
  for (const item of items) {
    const size = bytesOf(JSON.stringify(item)) + 1;
    if (size + MARK_ROOM <= room) {
      kept.push(item);
      room -= size;
      continue;
    }
    kept.push(cutItem(item, room));
    break;
  }
  const { isError } = rest;
  const fitted = JSON.stringify({ ...rest, content: kept });
  // What stands beside the content can be too much by itself: then only the text remains.
  if (bytesOf(fitted) <= budget) return fitted;
  const bare = { content: [] as Item[], ...(isError === undefined ? {} : { isError }) };
  bare.content.push(cutItem(items[0] as Item, budget - bytesOf(JSON.stringify(bare)) - 1));
  return JSON.stringify(bare);
}

/** Room for the mark and the item around it. */
const MARK_ROOM = 120;

function cutItem(item: Item, room: number): Item {
  const text = String(item.text);
  const mark = `… [truncated: ${bytesOf(text)} bytes in all]`;
  const frame = bytesOf(JSON.stringify({ type: 'text', text: mark })) + 1;
  return { type: 'text', text: cutText(text, room - frame) + mark };
}

function omitted(item: Item): Item {
  return { type: 'text', text: `[${String(item.type)} omitted: too large for this line]` };
}

/** The longest head of a text that takes at most `room` bytes as JSON; a surrogate pair is never cut in two. */
function cutText(text: string, room: number): string {
  let low = 0;
  let high = Math.min(text.length, Math.max(0, room));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bytesOf(JSON.stringify(text.slice(0, middle))) - 2 <= room) low = middle;
    else high = middle - 1;
  }
  const last = text.charCodeAt(low - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? low - 1 : low);
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
