/** What a key in an address may be made of. */
const KEY_END = /[A-Za-z0-9_%+/=.~-]*$/;

/**
 * The first `max` bytes of a line, for the log. A cut in the middle of a key would leave its head where the log no longer
 * knows it, so what the cut runs through is left out whole.
 */
export function headOf(line: Buffer, max: number): string {
  const text = line.toString('utf8', 0, max);
  return line.length <= max ? text : `${text.replace(KEY_END, '')}…`;
}
