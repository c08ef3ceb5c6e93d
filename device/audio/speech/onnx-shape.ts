import { type OnnxPort, unfit } from './onnx-session.ts';

/** A dimension that may be anything is `null`. */
type Wanted = readonly (number | null)[];

/** Throws AUDIO_MODEL unless `port` is there and its fixed dimensions are those of `wanted`. */
export function expectPort(file: string, what: string, port: OnnxPort | undefined, wanted: Wanted): OnnxPort {
  const expected = `${what} of ${textOf(wanted)}`;
  if (!port) throw unfit(file, expected, 'none');
  const fits =
    port.shape.length === wanted.length &&
    port.shape.every((size, index) => typeof size !== 'number' || sizeFits(size, wanted[index]));
  if (!fits) throw unfit(file, expected, textOf(port.shape));
  return port;
}

/** Throws AUDIO_MODEL unless a result has as many values as were wanted, all of them numbers. */
export function expectNumbers(file: string, what: string, data: Float32Array, length: number): Float32Array {
  if (data.length !== length) throw unfit(file, `${length} values of ${what}`, `${data.length}`);
  const odd = data.find((value) => !Number.isFinite(value));
  if (odd !== undefined) throw unfit(file, `numbers for ${what}`, `${odd}`);
  return data;
}

function sizeFits(size: number, wanted: number | null | undefined): boolean {
  return wanted === null || size === wanted;
}

function textOf(shape: readonly (number | string | null)[]): string {
  return `[${shape.map((size) => (typeof size === 'number' ? size : '*')).join(', ')}]`;
}
