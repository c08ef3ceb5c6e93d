import { cut, type Source } from './source.ts';

/** What comes before an expression when a model or a person asks instead of calculating. */
const HEADS: readonly RegExp[] = [
  /^[\s=`「『:。]+/,
  /^(?:python|py)\n/i,
  /^(?:please|what\s+is|what's|whats|how\s+much\s+is|calculate|compute|evaluate|work\s+out|solve|(?:the\s+)?(?:result|value|answer)(?:\s+of)?)(?![\w(.])\s*:?/i,
  /^(?:計算式|式|答え|計算)\s*[:：]/,
  /^import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*\s*[;\n]/,
  /^from\s+[\w.]+\s+import\s+(?:\*|\w+(?:\s*,\s*\w+)*)\s*[;\n]/,
];

/** What comes after it, longest first. */
const TAILS: readonly string[] = [
  ...['の計算結果', 'を計算してください', 'を計算して', 'の計算', 'の結果', 'の答え', 'の値', 'の合計'],
  ...[
    'イコール',
    'になりますか',
    'になる',
    'ですか',
    'です',
    'いくつ',
    'いくら',
    'なに',
    '何',
    'を教えて',
    'ください',
  ],
  ...['please', 'equals', 'is', 'は', '=', '?', ';', '。', '`', '」', '』'],
];

/** An expression has at most so many heads and tails: `print` comes off in the parser. */
const ROUNDS = 24;

/** Takes off what does not belong to the expression: imports, back-ticks, "what is …", `= ?`, `…の計算結果は？`. */
export function trim(source: Source): Source {
  let rest = source;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { text } = rest;
    const start = HEADS.map((head) => head.exec(text)?.[0].length ?? 0).find((length) => length > 0) ?? 0;
    const end = endWithoutTail(text, start);
    if (start === 0 && end === text.length) break;
    rest = cut(rest, start, end);
  }
  return rest;
}

function endWithoutTail(text: string, start: number): number {
  const end = text.trimEnd().length;
  const tail = TAILS.find((word) => text.endsWith(word, end));
  const without = tail === undefined ? end : end - tail.length;
  // A full stop ends a sentence, and `5.` is a number all the same.
  const stop = tail === undefined && text.endsWith('.', end) && !text.endsWith('..', end) ? 1 : 0;
  return Math.max(start, without - stop);
}
