import { add, divide, floorQuotient, multiply, negate, remainder, subtract } from './numbers/arithmetic.ts';
import {
  addComplex,
  Complex,
  complexPower,
  divideComplex,
  equalComplex,
  multiplyComplex,
  subtractComplex,
} from './numbers/complex.ts';
import { power } from './numbers/power.ts';
import { Ratio } from './numbers/ratio.ts';
import { compare, isReal, type Real, sign } from './numbers/real.ts';
import { Refusal } from './refusal.ts';
import {
  addQuantities,
  compareQuantities,
  convert,
  multiplyQuantities,
  powerOfQuantity,
  Quantity,
  quantity,
  rootOfQuantity,
} from './units/quantity.ts';
import { Range, type Value } from './value.ts';

export type Arithmetic = '+' | '-' | '*' | '/' | '//' | 'mod' | '^';
type Numeric = Real | Complex | Quantity;

/** Applies an arithmetic operator to numbers, complex numbers and quantities; true counts as 1. */
export function calculateWith(operator: Arithmetic, a: Value, b: Value): Numeric {
  const [left, right] = [numeric(a, operator), numeric(b, operator)];
  if (left instanceof Quantity || right instanceof Quantity) return onQuantities(operator, left, right);
  if (left instanceof Complex || right instanceof Complex) {
    return onComplex(operator, complex(left), complex(right));
  }
  return onReals(operator, left, right);
}

export function negated(value: Value): Numeric {
  const number = numeric(value, '-');
  if (number instanceof Complex) return new Complex(negate(number.re), negate(number.im));
  return number instanceof Quantity ? new Quantity(negate(number.value), number.parts) : negate(number);
}

/** Negative, zero or positive as `a` is below, equal to or above `b`. */
export function compareValues(a: Value, b: Value): number {
  const [left, right] = [numeric(a, '<'), numeric(b, '<')];
  if (left instanceof Quantity && right instanceof Quantity) return compareQuantities(left, right);
  if (isReal(left) && isReal(right)) return compare(left, right);
  throw new Refusal('notOrdered');
}

export function equalValues(a: Value, b: Value): boolean {
  if (isList(a) && isList(b)) {
    return a.length === b.length && a.every((item, index) => equalValues(item, b[index] ?? null));
  }
  const plain = (value: Value) =>
    value === null || typeof value === 'string' || isList(value) || value instanceof Range;
  if (plain(a) || plain(b)) return a === b;
  const [left, right] = [numeric(a, '=='), numeric(b, '==')];
  if (left instanceof Quantity || right instanceof Quantity) return compareValues(left, right) === 0;
  if (left instanceof Complex || right instanceof Complex) return equalComplex(complex(left), complex(right));
  return compare(left, right) === 0;
}

/** Whether Python would take it as true. */
export function isTrue(value: Value): boolean {
  if (value === null || typeof value === 'boolean') return value === true;
  if (typeof value === 'string') return value !== '';
  if (isList(value) || value instanceof Range) return value.length > 0;
  if (value instanceof Complex) return sign(value.re) !== 0 || sign(value.im) !== 0;
  return sign(value instanceof Quantity ? value.value : value) !== 0;
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** The number in a value; refuses what is none. */
export function numeric(value: Value, name: string): Numeric {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (isReal(value) || value instanceof Complex || value instanceof Quantity) return value;
  throw new Refusal('realNumber', { detail: name });
}

export function complex(value: Numeric): Complex {
  if (value instanceof Quantity) throw new Refusal('noUnit', { detail: value.unit });
  return value instanceof Complex ? value : new Complex(value, 0n);
}

function onReals(operator: Arithmetic, a: Real, b: Real): Real {
  switch (operator) {
    case '+':
      return add(a, b);
    case '-':
      return subtract(a, b);
    case '*':
      return multiply(a, b);
    case '/':
      return divide(a, b);
    case '//':
      return floorQuotient(a, b);
    case 'mod':
      return remainder(a, b);
    case '^':
      return power(a, b);
  }
}

function onComplex(operator: Arithmetic, a: Complex, b: Complex): Complex {
  switch (operator) {
    case '+':
      return addComplex(a, b);
    case '-':
      return subtractComplex(a, b);
    case '*':
      return multiplyComplex(a, b);
    case '/':
      return divideComplex(a, b);
    case '^':
      return complexPower(a, b);
    case '//':
    case 'mod':
      throw new Refusal('realNumber', { detail: operator });
  }
}

function onQuantities(operator: Arithmetic, a: Numeric, b: Numeric): Numeric {
  if (a instanceof Complex || b instanceof Complex) throw new Refusal('realNumber', { detail: operator });
  if (operator === '^') return quantityPower(a, b);
  const [left, right] = [measured(a), measured(b)];
  switch (operator) {
    case '*':
      return isReal(b) ? scaled(left, multiply(left.value, b)) : multiplyQuantities(left, right, 1);
    case '/':
      return isReal(b) ? scaled(left, divide(left.value, b)) : multiplyQuantities(left, right, -1);
    case '+':
      return addQuantities(left, right, 1n);
    case '-':
      return addQuantities(left, right, -1n);
    case '//':
      return floorQuotient(left.value, convert(right, left.parts).value);
    case 'mod':
      return scaled(left, remainder(left.value, convert(right, left.parts).value));
  }
}

function quantityPower(base: Real | Quantity, exponent: Real | Quantity): Numeric {
  if (exponent instanceof Quantity) throw new Refusal('noUnit', { detail: '^' });
  const root = exponent instanceof Ratio && exponent.top === 1n && exponent.bottom === 2n;
  if (base instanceof Quantity && root) return rootOfQuantity(base);
  if (!(base instanceof Quantity) || typeof exponent !== 'bigint')
    throw new Refusal('noUnit', { detail: '^' });
  return powerOfQuantity(base, exponent);
}

function measured(value: Real | Quantity): Quantity {
  return value instanceof Quantity ? value : new Quantity(value, []);
}

function scaled(like: Quantity, value: Real): Real | Quantity {
  return quantity(value, like.parts);
}
