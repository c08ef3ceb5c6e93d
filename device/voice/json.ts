/** A JSON object whose values have not been checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value of a JSON text, or `undefined` where it is none: whoever asks says what that means. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
