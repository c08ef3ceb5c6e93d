import type { Code } from '#kernel/codes.ts';
import type { Words } from '../file/problem.ts';

/** An error that `aivoice config check FILE` reports. */
export interface Reported {
  readonly code: Code;
  /** Of the file that was checked. */
  readonly line: number | undefined;
  readonly path: string;
  readonly said: Words;
}

/**
 * Reads what the check of the product prints: `FILE:LINE:COLUMN: CODE: PATH: DETAIL`, the detail in Japanese and, after a
 * slash, in English where it is asked in no language. Warnings are passed over, and so are the lines that it quotes.
 */
export function readReport(text: string, file: string): Reported[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith(`${file}:`)) return [];
    const found = /^:(?:(\d+):(?:\d+:)?)? ([A-Z_]+)( [(（][^:]*)?: (.*)$/.exec(line.slice(file.length));
    if (!found || found[3] !== undefined) return [];
    const [, number, code = '', , rest = ''] = found;
    const [, path = '', detail = rest] = /^([\w.…-]+): (.*)$/.exec(rest) ?? [];
    const at = number === undefined ? undefined : Number(number);
    return [{ code: code as Code, line: at, path, said: bothOf(detail) }];
  });
}

/** There are as many slashes in one language as in the other, so the one in the middle parts them. */
function bothOf(detail: string): Words {
  const parts = detail.split(' / ');
  if (parts.length % 2 === 1) return { ja: detail, en: detail };
  const half = parts.length / 2;
  return { ja: parts.slice(0, half).join(' / '), en: parts.slice(half).join(' / ') };
}
