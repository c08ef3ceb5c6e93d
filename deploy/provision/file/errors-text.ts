import type { Place, Problem } from './problem.ts';
import { STARS, shownLine, shownPath } from './shown.ts';

/** What is written beside the file when it is refused: all that is wrong, in Japanese and English, for Windows too. */
export function errorsText(name: string, problems: readonly Problem[], lines: readonly string[]): string {
  const sorted = [...problems].sort(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
  const count = problems.length;
  const text = [
    `${name} に ${count} か所の誤りがあります。直して電源を入れ直すと、もう一度読みます。何も変更していません。`,
    `${name} has ${count} ${count === 1 ? 'error' : 'errors'}. Mend it and switch on again; it is then read anew. Nothing was changed.`,
    ...sorted.flatMap((problem) => ['', ...paragraph(problem, lines)]),
    '',
  ];
  return text.join('\r\n');
}

function paragraph({ code, line, column, path, said }: Problem, lines: readonly string[]): string[] {
  const where =
    line === undefined
      ? []
      : [
          `${line} 行目${column ? ` ${column} 文字目` : ''} / line ${line}${column ? `, column ${column}` : ''}`,
        ];
  const head = [...where, ...(path ? [shownPath(path)] : []), code].join(' | ');
  return [head, ...pointTo({ line, column }, lines), `  ${said.ja}`, `  ${said.en}`];
}

function pointTo(
  { line, column }: { [Key in keyof Place]: Place[Key] | undefined },
  lines: readonly string[],
): string[] {
  if (line === undefined) return [];
  const source = lines[line - 1] ?? '';
  // Within a text of several lines any line may be a part of a key, whatever it looks like.
  const shown = lines.some((one) => /"""|'''/.test(one)) ? STARS : shownLine(source);
  const gutter = `  ${line} | `;
  const before = [...source].slice(0, (column ?? 1) - 1).join('');
  // Below a place that is not shown an arrow would point at something else.
  if (column === undefined || !shown.startsWith(before)) return [gutter + shown];
  return [gutter + shown, `${' '.repeat(gutter.length)}${[...before].map(roomOf).join('')}^`];
}

/** As much empty room as the character takes. */
function roomOf(character: string): string {
  if (character === '\t') return '\t';
  return (character.codePointAt(0) ?? 0) < 0x1100 ? ' ' : '\u3000';
}

/** What is written beside a file that is right, where what it asks for could not be stored: a full card, say. */
export function notStoredText(name: string, reason: string): string {
  return [
    `${name} は正しいのですが、保存できませんでした（${reason}）。電源を入れ直すと、もう一度試します。続くときはカードを取り替えてください。`,
    `${name} is right, but could not be stored (${reason}). It is tried again at the next start. Where that goes on, change the card.`,
    '',
  ].join('\r\n');
}
