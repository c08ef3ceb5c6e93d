/** A span of whole numbers, both ends included. */
export interface Span {
  readonly least: number;
  readonly most: number;
}

/** What a card said that it can do. A span may have holes: only a recording proves a rate. */
export interface CardParams {
  readonly rateHz: Span;
  readonly channels: Span;
}

/** Reads what `arecord --dump-hw-params` wrote; `undefined` where the card was not asked, or said nothing of use. */
export function parseCardParams(stderr: string): CardParams | undefined {
  const rateHz = spanOf('RATE', stderr);
  const channels = spanOf('CHANNELS', stderr);
  return rateHz && channels && { rateHz, channels };
}

/** The rate that the card took in place of the one that it was asked for; arecord goes on with it all the same. */
export function takenRate(stderr: string): number | undefined {
  const [, got] = /rate is not accurate \(requested = \d+Hz, got = (\d+)Hz\)/.exec(stderr) ?? [];
  return got === undefined ? undefined : Number(got);
}

/** `RATE: 48000`, `RATE: [44100 48000]`, `CHANNELS: (0 8]`: a round bracket leaves its end out. */
function spanOf(name: string, text: string): Span | undefined {
  const pattern = new RegExp(`^${name}:\\s+(?:(\\d+)|([[(])(\\d+) (\\d+)([\\])]))\\s*$`, 'm');
  const [, only, open, least, most, close] = pattern.exec(text) ?? [];
  if (only !== undefined) return { least: Number(only), most: Number(only) };
  if (least === undefined) return undefined;
  return { least: Number(least) + (open === '(' ? 1 : 0), most: Number(most) - (close === ')' ? 1 : 0) };
}
