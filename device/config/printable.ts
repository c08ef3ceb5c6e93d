/**
 * A text as it may be shown in a line on a terminal: what a file or a server says must not steer the terminal that shows
 * it, so that there are no escape sequences and no change of direction.
 */
export function printable(line: string): string {
  return line.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === '\t' ? character : '\ufffd',
  );
}

/** The same for a text that may have several lines, as one line. */
export function printableLine(text: string): string {
  return printable(text.replace(/\s*[\n\r]\s*/g, ' '));
}
