import type { AskedCall } from './call.ts';

/** One piece of a streamed answer, of which nothing is sure. */
export type Piece = {
  readonly choices?:
    | readonly {
        readonly delta?: {
          readonly content?: string | null;
          readonly tool_calls?: readonly (PieceOfCall | null)[];
        };
      }[]
    | null;
} | null;

interface PieceOfCall {
  readonly index?: number;
  readonly id?: string | null;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

interface Slot {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  args: unknown;
}

/** So long an answer is no answer any more; characters, arguments of calls included. */
const MAX_LENGTH = 1_000_000;
const MAX_CALLS = 64;

/** Reply: what one request has brought so far, put together from its pieces. */
export class Reply {
  text = '';
  readonly #slots: Slot[] = [];
  #length = 0;

  /** In the order in which the model asked. Ids that are missing or stand twice are made up. */
  get calls(): AskedCall[] {
    const seen = new Set<string>();
    return this.#slots.map(({ id, name, args }, at) => {
      const own = id !== '' && !seen.has(id) ? id : `call_${at + 1}_${name.slice(0, 32)}`;
      seen.add(own);
      return { id: own, name, args };
    });
  }

  /** Takes one piece; the text that it brought. Throws where the reply gets out of bounds. */
  take(piece: Piece): string {
    const delta = piece?.choices?.[0]?.delta;
    const text = typeof delta?.content === 'string' ? delta.content : '';
    this.text += text;
    this.#grow(text.length);
    const calls = Array.isArray(delta?.tool_calls) ? delta.tool_calls : [];
    for (const call of calls) if (call !== null) this.#takeCall(call);
    return text;
  }

  #takeCall({ index, id, function: asked }: PieceOfCall): void {
    const name = typeof asked?.name === 'string' ? asked.name : '';
    const args = asked?.arguments;
    this.#grow(typeof args === 'string' ? args.length : args ? JSON.stringify(args).length : 0);
    const open =
      index === undefined ? this.#slots.at(-1) : this.#slots.findLast((slot) => slot.index === index);
    if (open === undefined || isAnother(open, id ?? '', name)) {
      if (this.#slots.length === MAX_CALLS)
        throw new Error(`the model asked for over ${MAX_CALLS} calls at once`);
      this.#slots.push({ index, id: id ?? '', name, args });
    } else if (typeof args === 'string' && typeof (open.args ?? '') === 'string') {
      open.args = `${open.args ?? ''}${args}`;
    } else if (args !== undefined && args !== null) {
      open.args = args;
    }
  }

  #grow(by: number): void {
    this.#length += by;
    if (this.#length > MAX_LENGTH) throw new Error(`the answer is over ${MAX_LENGTH} characters long`);
  }
}

/** Some services count every call as number 0, or not at all: then a name after whole arguments begins the next one. */
function isAnother(open: Slot, id: string, name: string): boolean {
  if (id !== '' && open.id !== '') return id !== open.id;
  return name !== '' && open.name !== '' && isWhole(open.args);
}

function isWhole(args: unknown): boolean {
  if (typeof args !== 'string') return args !== undefined && args !== null;
  try {
    JSON.parse(args);
    return true;
  } catch {
    return false;
  }
}
