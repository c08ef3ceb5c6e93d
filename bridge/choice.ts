import type { Tool } from './tool.ts';

/** Which tools of a server are offered, and under which names, as its owner wrote it. */
export interface ToolChoice {
  /** Only these; absent: all. */
  readonly include?: readonly string[];
  /** Not these, also where `include` names them. */
  readonly exclude?: readonly string[];
  /** The server's own name of a tool, and the one that it is offered under. */
  readonly rename?: Readonly<Record<string, string>>;
}

/** A name of a choice that no tool has is shown so far, and so many of them. */
const SHOWN_LENGTH = 64;
const SHOWN = 20;

/** Whether a tool of this name is offered. */
export function isOffered(choice: ToolChoice | undefined, name: string): boolean {
  if (choice === undefined) return true;
  const { include, exclude = [] } = choice;
  return (include === undefined || include.includes(name)) && !exclude.includes(name);
}

/** What a tool is called before collisions are seen to. */
export function offeredName(choice: ToolChoice | undefined, name: string): string {
  const rename = choice?.rename;
  return rename !== undefined && Object.hasOwn(rename, name) ? (rename[name] as string) : name;
}

/** The names in a choice, or of `others`, that no tool of the server has: slips, or tools that it has no more. */
export function unknownNames(
  { include = [], exclude = [], rename = {} }: ToolChoice,
  tools: readonly Tool[],
  others: readonly string[] = [],
): string[] {
  const names = new Set(tools.map(({ name }) => name));
  const chosen = [...include, ...exclude, ...Object.keys(rename), ...others];
  const unknown = [...new Set(chosen)].filter((name) => !names.has(name));
  return unknown.slice(0, SHOWN).map((name) => name.slice(0, SHOWN_LENGTH));
}
