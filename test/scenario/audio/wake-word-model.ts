import { writeFileSync } from 'node:fs';

/**
 * Writes a word's model in ONNX format: the largest of its embeddings, times `factor`, through a sigmoid where one is
 * asked for. NaN for a factor makes one that is broken, 0 one that is dead.
 */
export function writeWakeWordModel(
  file: string,
  options: {
    readonly factor: number;
    readonly sigmoid?: boolean;
    readonly frames?: number;
    readonly width?: number;
  },
): void {
  const { factor, sigmoid = false, frames = 16, width = 96 } = options;
  const factorBytes = Buffer.alloc(4);
  factorBytes.writeFloatLE(factor);
  const graph = [
    bytes(1, node('Flatten', ['seen'], 'flat')),
    bytes(1, node('ReduceMax', ['flat'], 'largest', attribute('axes', [1]))),
    bytes(1, node('Mul', ['largest', 'factor'], 'product')),
    bytes(1, node(sigmoid ? 'Sigmoid' : 'Identity', ['product'], 'score')),
    bytes(2, text('head')),
    bytes(5, join(number(2, FLOAT), bytes(8, text('factor')), bytes(9, factorBytes))),
    bytes(11, port('seen', [1, frames, width])),
    bytes(12, port('score', [1, 1])),
  ];
  const opset = number(2, 13);
  writeFileSync(file, join(number(1, 8), bytes(7, join(...graph)), bytes(8, opset)));
}

/** The element type and the attribute type of ONNX, by their numbers in its protocol buffers. */
const FLOAT = 1;
const INTS = 7;

function node(type: string, inputs: readonly string[], output: string, ...attributes: Buffer[]): Buffer {
  const names = inputs.map((input) => bytes(1, text(input)));
  return join(...names, bytes(2, text(output)), bytes(4, text(type)), ...attributes.map((a) => bytes(5, a)));
}

function attribute(name: string, values: readonly number[]): Buffer {
  return join(bytes(1, text(name)), ...values.map((value) => number(8, value)), number(20, INTS));
}

function port(name: string, shape: readonly number[]): Buffer {
  const sizes = join(...shape.map((size) => bytes(1, number(1, size))));
  const tensor = join(number(1, FLOAT), bytes(2, sizes));
  return join(bytes(1, text(name)), bytes(2, bytes(1, tensor)));
}

/** A field of protocol buffers with a number in it, and one with bytes. */
function number(field: number, value: number): Buffer {
  return join(varint(field << 3), varint(value));
}

function bytes(field: number, value: Buffer): Buffer {
  return join(varint((field << 3) | 2), varint(value.length), value);
}

function varint(value: number): Buffer {
  const low = value & 0x7f;
  return value > 0x7f ? join(Buffer.of(low | 0x80), varint(value >>> 7)) : Buffer.of(low);
}

function text(value: string): Buffer {
  return Buffer.from(value);
}

function join(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts);
}
