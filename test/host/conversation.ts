/** One line of a conversation, as the chat-completions interface takes it. */
export type Line =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** How much of a conversation is sent again: whole turns, the newest first. */
export interface Memory {
  /** Default 20. */
  readonly turns: number;
  /** Characters of all of them; the newest turn stays however long it is. Default 48,000. */
  readonly characters: number;
}

export const MEMORY: Memory = { turns: 20, characters: 48_000 };

/**
 * The end of a conversation that fits. It is cut where a person speaks and nowhere else: a tool's result without the
 * call that asked for it is refused by every service.
 */
export function trimmed(lines: readonly Line[], { turns, characters }: Memory): Line[] {
  const kept: Line[] = [];
  let room = characters;
  for (const turn of turnsOf(lines).reverse().slice(0, turns)) {
    room -= turn.reduce((sum, line) => sum + lengthOf(line), 0);
    if (room < 0 && kept.length > 0) break;
    kept.unshift(...turn);
  }
  return kept;
}

/** A turn begins with what a person said; whatever stands before the first one belongs to none. */
function turnsOf(lines: readonly Line[]): Line[][] {
  const turns: Line[][] = [];
  for (const line of lines) {
    if (line.role === 'user') turns.push([line]);
    else turns.at(-1)?.push(line);
  }
  return turns;
}

function lengthOf(line: Line): number {
  const calls = line.role === 'assistant' ? (line.tool_calls ?? []) : [];
  const asked = calls.reduce(
    (sum, call) => sum + call.function.name.length + call.function.arguments.length,
    0,
  );
  return (line.content?.length ?? 0) + asked;
}
