import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesTools } from '../../../../servers/files/tools.ts';
import type { Words } from '../../../../servers/files/words.ts';
import { english } from '../../../../servers/files/words-en.ts';

interface Said {
  readonly text: string;
  readonly facts: Record<string, unknown>;
  readonly isError: boolean;
}

/** A temporary folder with the files server's tools on it. Disposing removes both. */
export class SharedFolder implements Disposable {
  readonly parent = mkdtempSync(join(tmpdir(), 'aivoice-files-'));
  readonly path = join(this.parent, 'root');

  /** `{ 'docs/a.txt': 'text', 'docs/link': { to: 'a.txt' } }`; names may be anything that a JavaScript string can be. */
  constructor(tree: Record<string, string | Buffer | { to: string }> = {}) {
    mkdirSync(this.path);
    this.add(tree);
  }

  add(tree: Record<string, string | Buffer | { to: string }>): void {
    for (const [name, what] of Object.entries(tree)) {
      const path = join(this.path, name);
      mkdirSync(dirname(path), { recursive: true });
      if (typeof what === 'string' || Buffer.isBuffer(what)) writeFileSync(path, what);
      else symlinkSync(what.to, path);
    }
  }

  call(name: string, args: Record<string, unknown> = {}, words: Words = english): Promise<Said> {
    return callTool(this.path, name, args, words);
  }

  /** Calls a tool that must fail, and gives its code. */
  async codeOf(name: string, args: Record<string, unknown>): Promise<unknown> {
    const { facts, isError, text } = await this.call(name, args);
    assert.ok(isError, text);
    assert.match(text, new RegExp(`^summary: .+\\ncode: ${facts.code}$`));
    return facts.code;
  }

  [Symbol.dispose](): void {
    rmSync(this.parent, { recursive: true, force: true });
  }
}

/** Calls one tool of a files server on `root`; every answer must have the one form. */
export async function callTool(
  root: string | undefined,
  name: string,
  args: Record<string, unknown> = {},
  words: Words = english,
): Promise<Said> {
  const tool = filesTools({ root, words }).find((each) => each.name === name);
  assert.ok(tool);
  const { content, structuredContent, isError } = await tool.run(args, new AbortController().signal);
  const [first] = content;
  assert.ok(first?.type === 'text' && structuredContent !== undefined);
  assert.match(first.text, /^summary: ./);
  return { text: first.text, facts: structuredContent, isError: isError === true };
}
