import { findConstant } from '../constants.ts';
import { Refusal } from '../refusal.ts';
import { findUnit, isMoney, type Part, type Unit } from '../units/unit.ts';
import type { Cursor } from './cursor.ts';

/** Whether a unit begins here, that is a name that no call or constant claims. Refuses money. */
export function unitAt(cursor: Cursor, ahead = 0): boolean {
  const { kind, text, at } = cursor.peek(ahead);
  if (kind !== 'name') return false;
  if (isMoney(text)) throw new Refusal('currency', { detail: text, position: at });
  if (cursor.at('(', ahead + 1) || findConstant(text) !== undefined) return false;
  return find(text) !== undefined;
}

/** Reads `km/h`, `m/s^2`, `kg*m/s^2`, `miles per hour`. A unit stands here. */
export function unitParts(cursor: Cursor): { readonly parts: readonly Part[] } {
  const parts = [part(cursor, 1)];
  while ((cursor.at('/') || cursor.at('per') || cursor.at('*')) && unitAt(cursor, 1)) {
    parts.push(part(cursor, cursor.take().text === '*' ? 1 : -1));
  }
  return { parts };
}

function part(cursor: Cursor, sign: 1 | -1): Part {
  const { text } = cursor.take();
  const found = find(text) as Found;
  return { name: found.name, unit: found.unit, power: sign * found.power * exponent(cursor) };
}

/** Reads `^2` or `^-1` behind a unit; anything else after `^` is left to the power operator. */
function exponent(cursor: Cursor): number {
  if (!cursor.at('^')) return 1;
  const negative = cursor.at('-', 1);
  const { kind, text } = cursor.peek(negative ? 2 : 1);
  if (kind !== 'number' || !/^\d\d?$/.test(text)) return 1;
  cursor.take();
  if (negative) cursor.take();
  return Number(cursor.take().text) * (negative ? -1 : 1);
}

interface Found {
  readonly name: string;
  readonly unit: Unit;
  readonly power: number;
}

/** A unit by name, or `m2` and `cm3` as NFKC leaves them of ㎡ and ㎤. */
function find(text: string): Found | undefined {
  const unit = findUnit(text);
  if (unit !== undefined) return { name: text, unit, power: 1 };
  const [, name = '', power = ''] = /^([A-Za-z]+)([23])$/.exec(text) ?? [];
  const base = findUnit(name);
  return base === undefined ? undefined : { name, unit: base, power: Number(power) };
}
