import assert from 'node:assert/strict';
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface Answer {
  readonly id: unknown;
  readonly result?: {
    readonly content: readonly { readonly type: string; readonly text: string }[];
    readonly structuredContent?: Record<string, unknown>;
    readonly isError?: boolean;
  } & Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What a caller sees of a tool's answer. */
interface Told {
  readonly text: string;
  readonly facts: Record<string, unknown>;
  readonly code: unknown;
  readonly isError: boolean;
}

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PATIENCE_MS = 10_000;

/** The bundle that ships where there is one, the source otherwise. */
export function programOf(name: string): string {
  const bundle = join(ROOT, 'dist', 'servers', `${name}.js`);
  return existsSync(bundle) ? bundle : join(ROOT, 'servers', name, 'main.ts');
}

/** A real server process and the host's side of its pipes. Every line of its stdout must be JSON-RPC. */
export class ServerProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stderr = '';
  /** Messages that were no answer: a server of ours asks nothing and tells nothing. */
  readonly unasked: unknown[] = [];
  readonly #waiting = new Map<string, (answer: Answer) => void>();
  #rest = '';
  #last = 0;

  constructor(program: string, env: Record<string, string> = {}, options: SpawnOptions = {}) {
    const { PATH = '', HOME = '' } = process.env;
    const settings: SpawnOptions = { stdio: 'pipe', env: { PATH, HOME, ...env }, ...options };
    this.child = spawn(process.execPath, [program], settings);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#receive(text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.child.stdin?.on('error', () => undefined);
    this.exited = once(this.child, 'exit').then(([code, signal]) => ({ code, signal }));
  }

  write(text: string | Buffer): void {
    this.child.stdin?.write(text);
  }

  notify(method: string, params: object = {}): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  /** Waits for the answer to a request that was, or is being, written by hand. */
  answerTo(id: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no answer to ${id}; stderr: ${this.stderr}`)),
        PATIENCE_MS,
      );
      this.#waiting.set(JSON.stringify(id), (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    });
  }

  ask(method: string, params: object = {}): Promise<Answer> {
    this.#last += 1;
    const answer = this.answerTo(this.#last);
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id: this.#last, method, params })}\n`);
    return answer;
  }

  async call(name: string, args: object = {}): Promise<Told> {
    const { result, error } = await this.ask('tools/call', { name, arguments: args });
    assert.ok(result, error?.message ?? 'no result');
    const facts = result.structuredContent ?? {};
    return { text: result.content[0]?.text ?? '', facts, code: facts.code, isError: result.isError === true };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.stdin?.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), PATIENCE_MS);
    await this.exited;
    clearTimeout(timer);
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line);
      assert.equal(message.jsonrpc, '2.0');
      const key = JSON.stringify(message.id);
      const waiting = this.#waiting.get(key);
      this.#waiting.delete(key);
      if (waiting === undefined) this.unasked.push(message);
      else waiting(message);
    }
  }
}
