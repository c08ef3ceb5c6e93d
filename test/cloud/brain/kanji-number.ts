const DIGITS = '〇一二三四五六七八九';
const SMALL: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };
const LARGE: Readonly<Record<string, number>> = { 万: 10_000, 億: 100_000_000 };

/** 千四 -> 1004, 三百二十八 -> 328, 3億2千万 -> 320000000; a lone large unit, as in 万歳, stays. */
export function readKanjiNumbers(text: string): string {
  return text.replace(/[\d〇一二三四五六七八九十百千万億]+/g, (run) =>
    /^\d+$/.test(run) || /^[万億]/.test(run) ? run : String(amount(run)),
  );
}

function amount(run: string): number {
  let total = 0;
  let group = 0;
  let digits: number | undefined;
  for (const char of run) {
    const digit = /\d/.test(char) ? Number(char) : DIGITS.indexOf(char);
    if (digit >= 0) {
      digits = (digits ?? 0) * 10 + digit;
    } else if (char in SMALL) {
      group += (digits ?? 1) * (SMALL[char] ?? 0);
      digits = undefined;
    } else {
      total += (group + (digits ?? 0)) * (LARGE[char] ?? 0);
      group = 0;
      digits = undefined;
    }
  }
  return total + group + (digits ?? 0);
}
