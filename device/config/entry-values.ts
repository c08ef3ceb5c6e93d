import type { Node } from 'jsonc-parser';
import type { Code } from '#kernel/codes.ts';
import { Fault } from '#kernel/fault.ts';
import { duplicateNames, whereIs } from './json-text.ts';
import { describe } from './mask.ts';
import { nearest, unknownKey } from './nearest.ts';
import { shownName } from './plain-line.ts';
import { hasRoom, type Problem } from './problem.ts';
import type { TextFile } from './text-file.ts';
import { expandVariables, MAX_TEXT } from './variables.ts';

const KEYS = [
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'caFile',
  'tools',
  'async',
  'asyncWaitMs',
  'asyncTools',
  'disabled',
] as const;

export type Key = (typeof KEYS)[number];

/** What other programs call our keys: near in meaning, far in letters. */
const ALIASES: Readonly<Record<string, Key>> = {
  arguments: 'args',
  async_tools: 'asyncTools',
  async_wait_ms: 'asyncWaitMs',
  ca_file: 'caFile',
  cmd: 'command',
  enabled: 'disabled',
  environment: 'env',
  httpUrl: 'url',
  serverUrl: 'url',
  transport: 'type',
  transportType: 'type',
  workdir: 'cwd',
  workingDirectory: 'cwd',
};

/** Where the entry's values come from and where its problems go. */
export interface EntrySource {
  readonly file: TextFile;
  readonly lookup: (name: string) => string | undefined;
  readonly problems: Problem[];
}

/** The values of one entry of `mcpServers`, each checked as it is read. The first error becomes the entry's fault. */
export class EntryValues {
  readonly disabled: boolean;
  readonly #source: EntrySource;
  readonly #node: Node;
  readonly #path: string;
  readonly #values = new Map<string, Node>();
  #fault: Fault | undefined;

  constructor(name: string, node: Node, source: EntrySource) {
    this.#source = source;
    this.#node = node;
    this.#path = `mcpServers${step(name)}`;
    if (node.type !== 'object') this.#wrong(node, '', '{…}');
    for (const [key, value] of node.type === 'object' ? propertiesOf(node) : []) this.#values.set(key, value);
    for (const { name: twice, first } of duplicateNames(node, true)) {
      if (this.#fault && !hasRoom(source.problems, 'error')) break;
      const detail = `this name is here twice, first at ${whereIs(source.file.at(first.offset))}`;
      this.report('CONFIG_INVALID', 'error', twice, step(String(twice.value)), detail);
    }
    this.#checkKeys();
    this.disabled = this.#flag('disabled');
  }

  get fault(): Fault | undefined {
    return this.#fault;
  }

  has(key: Key): boolean {
    return this.#values.has(key);
  }

  node(key: Key): Node | undefined {
    return this.#values.get(key);
  }

  /** Text with its variables replaced; undefined where the key is absent or wrong. */
  text(key: Key): string | undefined {
    const node = this.#values.get(key);
    if (node === undefined) return undefined;
    const text = this.#textOf(node, step(key), false);
    if (text === '' && !this.disabled) {
      this.report('CONFIG_INVALID', 'error', node, step(key), 'expected text, got ""');
    }
    return text || undefined;
  }

  list(key: Key): string[] {
    const node = this.#values.get(key);
    if (node === undefined) return [];
    if (node.type !== 'array') this.#wrong(node, step(key), '[…] of texts');
    const items = node.type === 'array' ? (node.children ?? []) : [];
    return items.map((item, index) => this.#textOf(item, `${step(key)}[${index}]`, false) ?? '');
  }

  /** Names and texts; undefined where the key is absent. Values in it are secrets: problems do not show them. */
  texts(key: Key): Record<string, string> | undefined {
    const node = this.#values.get(key);
    if (node === undefined) return undefined;
    if (node.type !== 'object') this.#wrong(node, step(key), '{…} of names and texts');
    const pairs = node.type === 'object' ? propertiesOf(node) : [];
    return Object.fromEntries(
      pairs.map(([name, value]) => {
        const path = step(key) + step(name);
        if (!/^[^=\0\s]+$/.test(name))
          this.report('CONFIG_INVALID', 'error', value, path, 'expected a name without blanks or =');
        return [name, this.#textOf(value, path, true) ?? ''];
      }),
    );
  }

  /** Reports a problem of the entry, at the value of `key` where there is one. */
  reportAt(key: Key, code: Code, severity: Problem['severity'], detail: string): void {
    this.report(code, severity, this.#values.get(key) ?? this.#node, step(key), detail);
  }

  report(code: Code, severity: Problem['severity'], node: Node, path: string, detail: string): void {
    const { file, problems } = this.#source;
    const whole = `${this.#path}${path}`;
    if (hasRoom(problems, severity))
      problems.push({ code, severity, file: file.name, ...file.at(node.offset), path: whole, detail });
    if (severity === 'error') this.fail(code, `${whole}: ${detail}`);
  }

  /** Gives the entry its fault; the first one stays. */
  fail(code: Code, message: string): void {
    this.#fault ??= new Fault(code, message);
  }

  #checkKeys(): void {
    for (const [key, node] of this.#values) {
      if (KEYS.includes(key as Key)) continue;
      const near = Object.hasOwn(ALIASES, key) ? ALIASES[key] : nearest(key, KEYS);
      // A misspelt key would run the server otherwise than meant; a foreign one only says something to others.
      const severity = near ? 'error' : 'warning';
      const place = node.parent ?? node;
      this.report('CONFIG_UNKNOWN_KEY', severity, place, step(shownName(key)), unknownKey(near, KEYS));
    }
  }

  #flag(key: Key): boolean {
    const node = this.#values.get(key);
    if (node !== undefined && node.type !== 'boolean') this.#wrong(node, step(key), 'true or false');
    return node?.value === true;
  }

  #textOf(node: Node, path: string, secret: boolean): string | undefined {
    if (node.type !== 'string') {
      this.#wrong(node, path, 'text', secret);
      return undefined;
    }
    if (node.value.length > MAX_TEXT) {
      const detail = `expected at most ${MAX_TEXT} characters, got ${node.value.length}`;
      this.report('CONFIG_INVALID', 'error', node, path, detail);
      return undefined;
    }
    const { lookup } = this.#source;
    // A server that is switched off may lack its variables: that is often why it is off.
    const expanded = expandVariables(node.value, this.disabled ? (name) => lookup(name) ?? '' : lookup);
    if ('slip' in expanded) {
      this.report('CONFIG_VARIABLE', 'error', node, path, expanded.slip);
      return undefined;
    }
    // Node refuses to start a program with a NUL in what it is given, and throws while it does.
    if (expanded.text.includes('\0'))
      this.report('CONFIG_INVALID', 'error', node, path, 'expected text without NUL');
    return expanded.text;
  }

  #wrong(node: Node, path: string, expected: string, secret = false): void {
    const got = describe(kindOf(node), secret);
    this.report('CONFIG_INVALID', 'error', node, path, `expected ${expected}, got ${got}`);
  }
}

/** Names and values of an object, in order; of a name that stands twice the first. */
export function propertiesOf(node: Node): [name: string, value: Node][] {
  const found = new Map<string, Node>();
  for (const { children = [] } of node.children ?? []) {
    const [name, value] = children;
    if (name && value && !found.has(name.value)) found.set(name.value, value);
  }
  return [...found];
}

/** No name of a server is longer. */
const MAX_STEP = 64;

/** One step of a path as people write it: `.files`, `."my files"`. */
export function step(name: string): string {
  if (name.length > MAX_STEP) return step(`${name.slice(0, MAX_STEP - 1)}…`);
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? `.${name}` : `.${JSON.stringify(name)}`;
}

/** A value to describe; what is inside a list or an object does not matter for that. */
function kindOf(node: Node): unknown {
  return { array: [], object: {} }[node.type as string] ?? node.value;
}
