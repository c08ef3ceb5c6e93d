import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Problem } from './problem.ts';
import { describeSlip } from './slip.ts';
import type { Place, TextFile } from './text-file.ts';

/** What a file of JSON with comments holds. `root` is absent where its slips leave open what was meant. */
export interface JsonText {
  readonly root?: Node;
  readonly problems: readonly Problem[];
}

/** A file with more slips than this is not JSON; the first ones tell. */
const MAX_SLIPS = 20;

/** So many errors of the parser are looked at: one slip has many echoes. */
const MAX_ERRORS = 200;

/** The parser recurses: deeper text would exhaust the stack, and settings need five levels. */
const MAX_DEPTH = 100;

/** Parses JSON with comments and reports every slip, at most one a line: what follows on a line is its echo. */
export function parseJson(file: TextFile): JsonText {
  const survey = surveyOf(file.text);
  const problem = (offset: number, detail: string): Problem => {
    return { code: 'CONFIG_SYNTAX', severity: 'error', file: file.name, ...file.at(offset), detail };
  };
  if (survey.tooDeep !== undefined) {
    return { problems: [problem(survey.tooDeep, `expected at most ${MAX_DEPTH} levels of brackets`)] };
  }
  const errors: ParseError[] = [];
  const root = parseTree(file.text, errors, { allowTrailingComma: false, disallowComments: false });
  const lines = new Set<number>();
  const problems: Problem[] = [];
  const kinds = new Set<Slip['kind']>();
  for (const error of errors.slice(0, MAX_ERRORS)) {
    if (problems.length >= MAX_SLIPS) break;
    const { offset, detail, kind } = slipOf(error, file, survey);
    const lost = kinds.has('token') && kind === 'order';
    kinds.add(kind);
    const { line } = file.at(offset);
    if (lines.has(line) || lost || (offset === survey.end && problems.length > 0)) continue;
    lines.add(line);
    problems.push(problem(offset, detail));
  }
  const clear = !(kinds.has('token') || kinds.has('order'));
  return root && clear ? { root, problems } : { problems };
}

interface Duplicate {
  readonly name: Node;
  readonly first: Node;
}

/** Every name that stands twice in one object, below `node`: the second one, and where the first is. */
export function duplicateNames(node: Node, deep: boolean, found: Duplicate[] = []): readonly Duplicate[] {
  const seen = new Map<unknown, Node>();
  for (const child of node.children ?? []) {
    const name = child.type === 'property' ? child.children?.[0] : undefined;
    const first = name && seen.get(name.value);
    if (name && first) found.push({ name, first });
    else if (name) seen.set(name.value, name);
    if (deep) duplicateNames(child, true, found);
  }
  return found;
}

export function whereIs({ line, column }: Place): string {
  return `${line}:${column}`;
}

/** What a look over the tokens tells that the parser does not. */
interface Survey {
  readonly tooDeep?: number;
  /** Closing bracket -> the comma that stands before it. */
  readonly trailing: ReadonlyMap<number, number>;
  /** Brackets that nothing closes, outermost first. */
  readonly open: readonly number[];
  /** Where the text ends, without the blanks behind it. */
  readonly end: number;
}

function surveyOf(text: string): Survey {
  const scanner = createScanner(text, true);
  const trailing = new Map<number, number>();
  const open: number[] = [];
  const end = text.trimEnd().length;
  let comma: number | undefined;
  // The first character of a token tells its kind: text begins with a quote, comments are skipped.
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const first = text.charAt(offset);
    if ('{['.includes(first) && open.push(offset) > MAX_DEPTH)
      return { tooDeep: offset, trailing, open, end };
    if ('}]'.includes(first)) {
      open.pop();
      if (comma !== undefined) trailing.set(offset, comma);
    }
    comma = first === ',' ? offset : undefined;
  }
  return { trailing, open, end };
}

interface Slip {
  readonly offset: number;
  readonly detail: string;
  /** A comma too many or too few leaves no doubt what was meant; after a broken token the order is guesswork. */
  readonly kind: 'comma' | 'token' | 'order';
}

function slipOf(error: ParseError, file: TextFile, { trailing, open, end }: Survey): Slip {
  const offset = Math.min(error.offset, end);
  const comma = trailing.get(error.offset);
  if (comma !== undefined) {
    const detail = `trailing comma before ${file.text[offset]} at ${whereIs(file.at(offset))}`;
    return { offset: comma, detail, kind: 'comma' };
  }
  const code = printParseErrorCode(error.error);
  const got = offset >= end ? ', got the end of the file' : '';
  const unclosed = open.at(-1);
  if (/^Close/.test(code) && unclosed !== undefined) {
    const bracket = file.text[unclosed];
    const detail = `expected ${bracket === '{' ? '}' : ']'} for the ${bracket} at ${whereIs(file.at(unclosed))}${got}`;
    return { offset, detail, kind: 'order' };
  }
  const found = file.text.charAt(offset);
  if (code === 'CommaExpected' && '}]'.includes(found)) {
    const other = found === '}' ? ']' : '}';
    return { offset, detail: `expected , or ${other}, got ${found}`, kind: 'order' };
  }
  const quote = found === "'" ? `expected ", got '` : undefined;
  const detail =
    quote ?? describeSlip(file.text, offset) ?? `${WORDS[code] ?? `expected JSON (${code})`}${got}`;
  const token = /^(Invalid|Unexpected)/.test(code);
  return { offset, detail, kind: code === 'CommaExpected' ? 'comma' : token ? 'token' : 'order' };
}

const WORDS: Record<string, string> = {
  InvalidSymbol: 'expected "text" in double quotes, a number, true, false, null, { or [',
  InvalidNumberFormat: 'expected a number',
  PropertyNameExpected: 'expected a "name" in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected : between name and value',
  CommaExpected: 'expected , before this',
  CloseBraceExpected: 'expected }',
  CloseBracketExpected: 'expected ]',
  EndOfFileExpected: 'expected nothing more here',
  UnexpectedEndOfComment: 'expected */ to end this comment',
  UnexpectedEndOfString: 'expected the closing " on this line',
  UnexpectedEndOfNumber: 'expected the rest of a number',
  InvalidUnicode: 'expected four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'expected \\\\ for a backslash in text',
  InvalidCharacter: 'expected \\t, \\n or \\u00XX for a control character in text',
};
