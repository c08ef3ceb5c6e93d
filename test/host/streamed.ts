/** Turns pieces that are handed out as they come into something to read. Whoever stops reading aborts the work. */
export async function* streamed(
  work: (onPiece: (piece: string) => void, left: AbortSignal) => Promise<unknown>,
): AsyncGenerator<string, void> {
  const left = new AbortController();
  const pieces: string[] = [];
  let wake: () => void = () => undefined;
  let woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let over = false;
  const working = work((piece) => {
    pieces.push(piece);
    wake();
  }, left.signal).finally(() => {
    over = true;
    wake();
  });
  working.catch(() => undefined); // thrown below, once everything before it was read
  try {
    while (!over || pieces.length > 0) {
      const piece = pieces.shift();
      if (piece !== undefined) {
        yield piece;
        continue;
      }
      await woken;
      woken = new Promise((resolve) => {
        wake = resolve;
      });
    }
    await working;
  } finally {
    left.abort(new Error('nobody reads the answer any more'));
  }
}
