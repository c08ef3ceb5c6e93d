/** How large a result may be toward the cloud: `auto` follows who is at the other end, `off` never cuts. */
export type BudgetSetting = 'auto' | 'off' | number;

/** The real cloud's response limit is 8,192 bytes (cloud protocol 1.6); this leaves room for the envelope. */
export const CLOUD_BUDGET = 8000;
/** How the real cloud's broker names itself in `initialize`. Self-hosted ones have no such limit. */
const CLOUD_CLIENT = 'xz-mcp-broker';

/** The budget in bytes, decided by the first `initialize` of a socket. */
export function budgetFor(setting: BudgetSetting, clientName: unknown): number {
  if (setting === 'off') return Infinity;
  if (setting !== 'auto') return setting;
  return clientName === CLOUD_CLIENT ? CLOUD_BUDGET : Infinity;
}

interface TextItem {
  readonly type: string;
  readonly text: string;
}

interface Result {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly [field: string]: unknown;
}

/** No budget is smaller: below it there is no room for a word beside the mark of a cut. */
export const MIN_BUDGET = 256;

/** A result within a budget, and whether anything that could be read out had to go. */
export interface FittedResult {
  readonly json: string;
  readonly isCut: boolean;
}

/**
 * A tools/call result in at most `budget` bytes of JSON in UTF-8 (MIN_BUDGET at least). What is dearest goes first:
 * escapes that need not be, the structured copy of what the text says, what cannot be read out (images), and then the
 * end of the text, at a code point and marked.
 */
export function fitResult(json: string, budget: number): FittedResult {
  const value: unknown = JSON.parse(json);
  const plain = JSON.stringify(value);
  if (bytesOf(plain) <= budget) return { json: plain, isCut: false };
  if (!isObject(value)) return fitContent({}, [textItem(typeof value === 'string' ? value : plain)], budget);
  const { structuredContent, _meta, ...rest } = value as Result;
  const content = Array.isArray(rest.content) ? (rest.content as unknown[]) : [];
  if (content.length === 0)
    return fitContent(rest, [textItem(JSON.stringify(structuredContent ?? {}))], budget);
  const lean = JSON.stringify(rest);
  if (bytesOf(lean) <= budget) return { json: lean, isCut: false };
  const fitted = fitContent(rest, content.map(readable), budget);
  return content.every(isReadable) ? fitted : { ...fitted, isCut: true };
}

function fitContent(rest: Result, items: readonly TextItem[], budget: number): FittedResult {
  const whole = JSON.stringify({ ...rest, content: items });
  if (bytesOf(whole) <= budget) return { json: whole, isCut: false };
  // Only the head of the list is kept: the first text is the answer, what follows are additions.
  const kept: TextItem[] = [];
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
  const fitted = JSON.stringify({ ...rest, content: kept });
  // What stands beside the content can be too much by itself: then only the text remains.
  if (bytesOf(fitted) <= budget) return { json: fitted, isCut: true };
  const bare = { content: [] as TextItem[], ...(rest.isError === true ? { isError: true } : {}) };
  bare.content.push(cutItem(items[0] as TextItem, budget - bytesOf(JSON.stringify(bare))));
  return { json: JSON.stringify(bare), isCut: true };
}

/** Room for the mark and the item around it. */
const MARK_ROOM = 205;

function cutItem({ text }: TextItem, room: number): TextItem {
  const frame = bytesOf(JSON.stringify(textItem(''))) + 1;
  return textItem(cutText(text, room - frame));
}

/**
 * The head of a text with a mark at the cut, in at most `room` bytes as JSON (180 at least). The mark is for the model
 * that reads it: a summary above may speak of more than came through.
 */
export function cutText(text: string, room: number): string {
  const mark = `… [truncated: 続きは送られていないので、範囲を狭めて取り直してください / the rest was not sent, ask for a smaller part; ${bytesOf(text)} bytes in all]`;
  return headOf(text, room - bytesOf(mark)) + mark;
}

/** The longest head of a text that takes at most `room` bytes as JSON; a surrogate pair is never cut in two. */
function headOf(text: string, room: number): string {
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

function isReadable(item: unknown): boolean {
  return !isObject(item) || typeof item.text === 'string';
}

/** What of an item can be read out. A server may put anything into its list, also what is no item at all. */
function readable(item: unknown): TextItem {
  if (!isObject(item)) return textItem(JSON.stringify(item));
  if (typeof item.text === 'string') return item as unknown as TextItem;
  const kind = typeof item.type === 'string' ? item.type.slice(0, 40) : 'item';
  return textItem(`[${kind} omitted: too large for this line]`);
}

function textItem(text: string): TextItem {
  return { type: 'text', text };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
