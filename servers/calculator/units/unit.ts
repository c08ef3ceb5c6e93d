import { divide, multiply } from '../numbers/arithmetic.ts';
import { PI } from '../numbers/big.ts';
import { power } from '../numbers/power.ts';
import { fromBig, fromDecimal, type Real } from '../numbers/real.ts';
import { DATA_PREFIXES, type Entry, MONEY, PREFIXES, UNITS } from './catalog.ts';

/** Exponents of the base dimensions, in the order of `BASES`. */
export type Dimension = readonly number[];

export interface Unit {
  readonly dimension: Dimension;
  /** Its worth in base units. */
  readonly size: Real;
  /** Added before scaling, for degrees of temperature only. */
  readonly offset?: Real;
  /** What a compound such as mph is made of. */
  readonly parts?: readonly Part[];
}

/** A unit under the name that was written, to a power. */
export interface Part {
  readonly name: string;
  readonly unit: Unit;
  readonly power: number;
}

const BASES = ['L', 'M', 'T', 'K', 'A', 'D', 'R'];
const BY_NAME: ReadonlyMap<string, Entry> = new Map(
  UNITS.flatMap((entry) => entry.names.split(' ').map((name) => [name, entry] as const)),
);
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u;
const MONEY_NAMES: ReadonlySet<string> = new Set(MONEY);

/** The unit of that name with its prefix: exactly as written first, then in lower case (`Km`), then `gb` as GB. */
export function findUnit(name: string): Unit | undefined {
  const exact = prefixed(name);
  if (exact !== undefined || name.length < 2) return exact;
  return prefixed(name.toLowerCase()) ?? (/^[kmgt]b$/.test(name) ? prefixed(name.toUpperCase()) : undefined);
}

export function isMoney(name: string): boolean {
  return MONEY_NAMES.has(name) || MONEY_NAMES.has(name.toUpperCase()) || MONEY_NAMES.has(name.toLowerCase());
}

/** Names in scripts that are written without spaces, so that a reader must take them off a run of text. */
export function unspacedNames(): ReadonlySet<string> {
  const wide = [...BY_NAME.keys(), ...MONEY].filter((name) => UNSPACED.test(name));
  const prefixes = [...PREFIXES, ...DATA_PREFIXES].map((prefix) => prefix[2]);
  const bases = wide.filter((name) => BY_NAME.get(name)?.prefixes !== undefined);
  return new Set([...wide, ...bases.flatMap((name) => prefixes.map((prefix) => prefix + name))]);
}

function prefixed(name: string): Unit | undefined {
  const entry = BY_NAME.get(name);
  if (entry !== undefined) return build(entry, 1n, '');
  for (const [symbol, word, kana, exponent] of PREFIXES) {
    const found = strip(name, symbol, word, kana);
    if (found?.entry.prefixes === 'decimal')
      return build(found.entry, power(10n, BigInt(exponent)), found.prefix);
  }
  for (const [symbol, word, kana, base, exponent] of DATA_PREFIXES) {
    const found = strip(name, symbol, word, kana);
    if (found?.entry.prefixes === 'data')
      return build(found.entry, BigInt(base) ** BigInt(exponent), found.prefix);
  }
  return undefined;
}

/** A symbol takes the short prefix (km), a word the long one (kilometre), kana the one in kana. */
function strip(name: string, symbol: string, word: string, kana: string) {
  for (const prefix of [symbol, word, kana]) {
    if (!name.startsWith(prefix)) continue;
    const rest = name.slice(prefix.length);
    const entry = BY_NAME.get(rest);
    const isSymbol = rest.length <= 3 && /^[A-Za-zΩΩ]+$/.test(rest) && rest !== 'bit';
    if (entry?.prefixes !== undefined && isSymbol === (prefix === symbol)) return { entry, prefix };
  }
  return undefined;
}

function build(entry: Entry, scale: Real, prefix: string): Unit {
  if (entry.of !== undefined) return compound(entry.of, prefix);
  const dimension = dimensionOf(entry.dimension ?? '');
  const size = multiply(sizeOf(entry.size ?? '1'), scale);
  return entry.offset === undefined
    ? { dimension, size }
    : { dimension, size, offset: fromDecimal(entry.offset) };
}

function compound(of: string, prefix: string): Unit {
  const parts = of.split(' ').map((text, index) => {
    const [, symbol = '', exponent = ''] = /^([A-Za-z]+)(-?\d*)$/.exec(text) ?? [];
    const name = index === 0 ? prefix + symbol : symbol;
    return { name, unit: prefixed(name) as Unit, power: exponent === '' ? 1 : Number(exponent) };
  });
  return { dimension: dimensionOfParts(parts), size: sizeOfParts(parts), parts };
}

function sizeOf(text: string): Real {
  if (text === 'radian') return fromBig(PI.pow(-1).times(180));
  const [top = '1', bottom = '1'] = text.split('/');
  return divide(fromDecimal(top), fromDecimal(bottom));
}

function dimensionOf(text: string): Dimension {
  const powers = new Map(
    text.split(' ').map((part) => [part.charAt(0), part.length > 1 ? Number(part.slice(1)) : 1] as const),
  );
  return BASES.map((base) => powers.get(base) ?? 0);
}

/** The dimension of units multiplied together. */
export function dimensionOfParts(parts: readonly Part[]): Dimension {
  return BASES.map((_, index) => {
    return parts.reduce((sum, part) => sum + (part.unit.dimension[index] ?? 0) * part.power, 0);
  });
}

/** The worth of units multiplied together, in base units. */
export function sizeOfParts(parts: readonly Part[]): Real {
  return parts.reduce<Real>((size, part) => multiply(size, power(part.unit.size, BigInt(part.power))), 1n);
}

export function sameDimension(a: Dimension, b: Dimension): boolean {
  return a.every((exponent, index) => exponent === b[index]);
}

/** How the units are written, so that the parser reads them again: `km/h`, `m/s^2`, `kg*m/s^2`, `s^-1`. */
export function textOfParts(parts: readonly Part[]): string {
  const top = parts.filter((part) => part.power > 0).map((part) => raised(part.name, part.power));
  const bottom = parts.filter((part) => part.power < 0);
  if (top.length === 0) return bottom.map((part) => raised(part.name, part.power)).join('*') || '1';
  return [top.join('*'), ...bottom.map((part) => raised(part.name, -part.power))].join('/');
}

function raised(name: string, power: number): string {
  return power === 1 ? name : `${name}^${power}`;
}
