import { type Code, type Language, sentence } from '#kernel/codes.ts';
import { detailInJapanese } from './detail-text.ts';
import { printable } from './printable.ts';
import { widthOf } from './width.ts';

/** One thing that is wrong with the settings, with all that a person needs to put it right. */
export interface Problem {
  readonly code: Code;
  /** A warning changes nothing; an error means that what it names is not used. */
  readonly severity: 'error' | 'warning';
  /** The file as its user named it, or `$NAME` for a variable of the environment. */
  readonly file: string;
  /** Counted from 1; columns in characters. */
  readonly line?: number;
  readonly column?: number;
  /** The line itself, its secrets already masked character by character. */
  readonly source?: string;
  /** `mcpServers.files.args[1]`, `endpoint.ping_ms`. */
  readonly path?: string;
  /** One English phrase: `expected text, got 5`. Never holds a secret. */
  readonly detail: string;
}

/** Codes whose sentence says nothing beside a detail: it would only be one more line to read. */
const PLAIN: ReadonlySet<Code> = new Set<Code>([
  'CONFIG_INVALID',
  'CONFIG_MISSING',
  'CONFIG_UNKNOWN_KEY',
  'CONFIG_VARIABLE',
  'ENDPOINT_INVALID',
]);

/** Widest piece of a line that is shown. */
const MAX_SOURCE = 100;

/** The problem as lines for a person: `file:line:column: CODE: path: detail`, the line, a caret, what the code means. */
export function formatProblem(problem: Problem, language: Language): string {
  const { code, severity, path, source, column, detail } = problem;
  const mark = severity === 'warning' ? `${code}${WARNING[language]}` : code;
  const lines = [[placeOf(problem), mark, ...(path ? [path] : []), detailIn(detail, language)].join(': ')];
  if (source !== undefined && column !== undefined)
    lines.push(...pointTo(source, column, `${problem.line} | `));
  if (!PLAIN.has(code)) lines.push(`    ${sentence(code, language)}`);
  return lines.map(printable).join('\n');
}

const WARNING: Readonly<Record<Language, string>> = {
  ja: '（警告）',
  en: ' (warning)',
  both: ' (警告 / warning)',
};

function detailIn(detail: string, language: Language): string {
  if (language === 'en') return detail;
  const japanese = detailInJapanese(detail);
  return language === 'ja' || japanese === detail ? japanese : `${japanese} / ${detail}`;
}

/** All problems: errors first, then by file and place. */
export function formatProblems(problems: readonly Problem[], language: Language): string {
  const files = [...new Set(problems.map(({ file }) => file))];
  const rank = ({ severity, file, line = 0, column = 0 }: Problem) => {
    return [severity === 'error' ? 0 : 1, files.indexOf(file), line, column];
  };
  const sorted = [...problems].sort((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    const differs = left.findIndex((value, index) => value !== right[index]);
    return differs < 0 ? 0 : left[differs]! - right[differs]!;
  });
  return sorted.map((problem) => `${formatProblem(problem, language)}\n`).join('');
}

/** More problems of one file help nobody, and a hostile file must not cost more. Warnings leave half of it to errors. */
const MAX_PROBLEMS = 100;

export function hasRoom(problems: readonly Problem[], severity: Problem['severity']): boolean {
  return problems.length < (severity === 'error' ? MAX_PROBLEMS : MAX_PROBLEMS / 2);
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === 'error');
}

function placeOf({ file, line, column }: Problem): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

function pointTo(source: string, column: number, gutter: string): string[] {
  const characters = [...source];
  const start = Math.max(0, column - MAX_SOURCE / 2);
  const shown = characters.slice(start, start + MAX_SOURCE);
  const before = shown.slice(0, column - 1 - start).map(blankOf);
  return [`    ${gutter}${shown.join('')}`, `    ${' '.repeat(gutter.length)}${before.join('')}^`];
}

/** As much empty room as the character takes, so that the caret stands below the right one. */
function blankOf(character: string): string {
  if (character === '\t') return '\t';
  return ' '.repeat(widthOf(printable(character)));
}
