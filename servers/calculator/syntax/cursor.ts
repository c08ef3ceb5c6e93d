import { LIMITS } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import type { Token } from './token.ts';
import type { Node } from './tree.ts';

/** Cursor: where the parser stands in the tokens, and how much of the limits it has used. */
export class Cursor {
  private readonly tokens: readonly Token[];
  private index = 0;
  private depth = 0;
  private nodes = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  /** The token that comes next, or the one `ahead` of it; at the end always the end. */
  peek(ahead = 0): Token {
    return (this.tokens[this.index + ahead] ?? this.tokens.at(-1)) as Token;
  }

  /** The operator or word that was taken last, or `''`. */
  previous(): string {
    return this.tokens[this.index - 1]?.text ?? '';
  }

  /** Reads from `ahead` tokens on and comes back to here. */
  ahead<T>(ahead: number, step: () => T): T {
    const start = this.index;
    this.index += ahead;
    const result = step();
    this.index = start;
    return result;
  }

  take(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.index += 1;
    return token;
  }

  /** Whether the next token is this operator or word. */
  at(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && (token.kind === 'operator' || token.kind === 'name');
  }

  /** Takes the next token if it is this one. */
  skip(text: string): boolean {
    const found = this.at(text);
    if (found) this.index += 1;
    return found;
  }

  /** Takes the closing bracket; `open` is where its pair stands. */
  close(text: ')' | ']', open: Token): void {
    if (this.skip(text)) return;
    if (this.peek().kind === 'end') throw new Refusal('bracket', { detail: open.text, position: open.at });
    throw this.unexpected();
  }

  /** Counts a node against the limit. */
  node(node: Node): Node {
    this.nodes += 1;
    if (this.nodes > LIMITS.nodes) throw new Refusal('tooComplex', { position: node.at });
    return node;
  }

  /** Runs one level deeper. */
  nested<T>(step: () => T): T {
    this.depth += 1;
    if (this.depth > LIMITS.depth) throw new Refusal('tooDeep', { position: this.peek().at });
    const result = step();
    this.depth -= 1;
    return result;
  }

  unexpected(): Refusal {
    const { kind, text, at } = this.peek();
    if (kind === 'end') return new Refusal('incomplete', { position: at });
    if (text === '.') return new Refusal('property', { position: at });
    return new Refusal('unexpected', { detail: text, position: at });
  }
}
