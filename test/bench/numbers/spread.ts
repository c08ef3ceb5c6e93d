/** Median with the least and the greatest, as the tables show them. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
  readonly of: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    least: sorted[0] ?? Number.NaN,
    greatest: sorted.at(-1) ?? Number.NaN,
    of: sorted.length,
  };
}

/** `12.3 (10.1 to 15.0, 10 runs)` */
export function inWords({ median, least, greatest, of }: Spread, unit: string): string {
  const show = (value: number) => value.toFixed(value < 10 ? 1 : 0);
  return `${show(median)} ${unit} (${show(least)} to ${show(greatest)}, ${of})`;
}

/** The value that 95 of 100 do not exceed; of fewer than 20 the greatest. */
export function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}
