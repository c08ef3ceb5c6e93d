import type { Cut } from './journal.ts';

/** From so many cuts on a row claims that an update was hit at all of its points. */
const ROW = 10;
/** What an update is at while it writes and while it proves; a deploy that never begins shows none of it. */
const AT_WORK = ['staging', 'proving'];

/** So many cuts after an update's end: not each of them was slower than the one that was timed. */
const LATE = 3;

/** What a row of `count` cuts lacks to be `count` of `count`, a line each; none where it is. */
export function shortfalls(cuts: readonly Cut[], count: number): readonly string[] {
  const row = cuts.filter(({ number }) => number <= count);
  const faults = row.flatMap(({ number, fault }) => (fault === null ? [] : [`cut ${number}: ${fault}`]));
  const unmade = count - row.length;
  return [
    ...faults,
    ...(unmade > 0 ? [`${unmade} of ${count} were not made`] : []),
    ...(unmade === 0 && count >= ROW ? unspread(row) : []),
  ];
}

/** A whole row in which no update was under way when the power went, or none ever arrived, has shown nothing. */
function unspread(row: readonly Cut[]): readonly string[] {
  const late = row.filter(({ instant }) => instant > 1);
  return [
    ...(row.some(({ during }) => AT_WORK.includes(during))
      ? []
      : ['no update was at work when the power went']),
    ...(late.length < LATE || row.some(({ came, to }) => came === to)
      ? []
      : ['no update had arrived when the power went after its end']),
  ];
}
