import { printableLine } from '../config/printable.ts';
import { widthOf } from '../config/width.ts';

/** The rows as lines, each column as wide as its widest cell; what a cell holds beside printable text is replaced. */
export function alignColumns(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(printableLine));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
    });
  }
  return rows.map((row) =>
    row
      .map(
        (cell, column) => cell + ' '.repeat(column === row.length - 1 ? 0 : widths[column]! - widthOf(cell)),
      )
      .join('  ')
      .trimEnd(),
  );
}
