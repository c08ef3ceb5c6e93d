/** One kind of complaint is written so often at most, in ms; the rest is counted. */
const EVERY_MS = 60_000;

/** A log for what a host, or a fault, could repeat without end: at most a line a minute, with the count so far. */
export function complaints(log: (line: string) => void): (text: string) => void {
  let count = 0;
  let last = -Infinity;
  return (text) => {
    count += 1;
    const now = performance.now();
    if (now - last < EVERY_MS) return;
    last = now;
    log(`${text} (${count} so far)`);
  };
}
