import * as z from 'zod';

/** Longest wait that can be set: an hour. */
export const HOUR = 3_600_000;

/** A table of settings. In each pair of `ordered` the second must not be less than the first. */
export function table<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  ...ordered: [low: string, high: string][]
) {
  const strict = z.strictObject(shape, 'a table').superRefine((values: Record<string, unknown>, context) => {
    for (const [low, high] of ordered) {
      const [least, got] = [Number(values[low]), Number(values[high])];
      const message = `at least ${low} (${least})`;
      if (got < least) context.addIssue({ code: 'custom', path: [high], message, params: { low, got } });
    }
  });
  return strict.prefault({} as never);
}

export function ms(min: number, max: number, usual: number) {
  return bounded(min, max, `a whole number of milliseconds from ${min} to ${max}`).default(usual);
}

export function whole(min: number, max: number, usual: number) {
  return bounded(min, max, `a whole number from ${min} to ${max}`).default(usual);
}

export function bounded(min: number, max: number, expected: string) {
  return z.int(expected).min(min, expected).max(max, expected);
}

export function text(expected: string) {
  return z.string(expected);
}

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, values.map((value) => `"${value}"`).join(' or '));
}
