import { Refusal } from '../refusal.ts';
import { angleOf, cosine, sine } from './angle.ts';
import { add, divide, multiply, negate, subtract } from './arithmetic.ts';
import { cosh, exponential, naturalLog, sinh } from './logarithm.ts';
import { power, squareRoot } from './power.ts';
import { compare, fromBig, type Real, sign, toBig } from './real.ts';

/** A complex number; exact in its parts where they are. */
export class Complex {
  readonly re: Real;
  readonly im: Real;

  constructor(re: Real, im: Real) {
    this.re = re;
    this.im = im;
  }
}

/** Above it a power goes through the logarithm instead of repeated multiplication. */
const LARGEST_EXACT_POWER = 64n;

export function addComplex(a: Complex, b: Complex): Complex {
  return new Complex(add(a.re, b.re), add(a.im, b.im));
}

export function subtractComplex(a: Complex, b: Complex): Complex {
  return new Complex(subtract(a.re, b.re), subtract(a.im, b.im));
}

export function multiplyComplex(a: Complex, b: Complex): Complex {
  const re = subtract(multiply(a.re, b.re), multiply(a.im, b.im));
  return new Complex(re, add(multiply(a.re, b.im), multiply(a.im, b.re)));
}

export function divideComplex(a: Complex, b: Complex): Complex {
  const bottom = add(multiply(b.re, b.re), multiply(b.im, b.im));
  const top = multiplyComplex(a, conjugate(b));
  return new Complex(divide(top.re, bottom), divide(top.im, bottom));
}

export function conjugate(z: Complex): Complex {
  return new Complex(z.re, negate(z.im));
}

export function equalComplex(a: Complex, b: Complex): boolean {
  return compare(a.re, b.re) === 0 && compare(a.im, b.im) === 0;
}

/** |z| */
export function magnitude(z: Complex): Real {
  return squareRoot(add(multiply(z.re, z.re), multiply(z.im, z.im)));
}

/** The angle of z, from -π to π. */
export function phase(z: Complex): Real {
  return angleOf(z.im, z.re);
}

export function fromPolar(radius: Real, angle: Real): Complex {
  return new Complex(multiply(radius, cosine(angle)), multiply(radius, sine(angle)));
}

/** The root with the positive real part. */
export function complexRoot(z: Complex): Complex {
  const size = magnitude(z);
  const re = squareRoot(divide(add(size, z.re), 2n));
  const im = squareRoot(divide(subtract(size, z.re), 2n));
  return new Complex(re, sign(z.im) < 0 ? negate(im) : im);
}

export function complexExponential(z: Complex): Complex {
  return fromPolar(exponential(z.re), z.im);
}

export function complexLog(z: Complex): Complex {
  return new Complex(naturalLog(magnitude(z)), phase(z));
}

/** z ^ w: by multiplication for small whole w, else the principal value. */
export function complexPower(z: Complex, w: Complex): Complex {
  if (
    sign(w.im) === 0 &&
    typeof w.re === 'bigint' &&
    w.re <= LARGEST_EXACT_POWER &&
    w.re >= -LARGEST_EXACT_POWER
  ) {
    let result = new Complex(1n, 0n);
    const size = w.re < 0n ? -w.re : w.re;
    for (let n = 0n; n < size; n += 1n) result = multiplyComplex(result, z);
    return w.re < 0n ? divideComplex(new Complex(1n, 0n), result) : result;
  }
  if (sign(z.im) === 0 && sign(w.im) === 0 && sign(z.re) > 0) return new Complex(power(z.re, w.re), 0n);
  if (sign(z.re) === 0 && sign(z.im) === 0) {
    if (sign(w.re) <= 0) throw new Refusal('divisionByZero');
    return new Complex(0n, 0n);
  }
  return complexExponential(multiplyComplex(w, complexLog(z)));
}

export function complexSine(z: Complex): Complex {
  return new Complex(multiply(sine(z.re), hyper(cosh, z.im)), multiply(cosine(z.re), hyper(sinh, z.im)));
}

export function complexCosine(z: Complex): Complex {
  return new Complex(
    multiply(cosine(z.re), hyper(cosh, z.im)),
    negate(multiply(sine(z.re), hyper(sinh, z.im))),
  );
}

function hyper(operation: typeof cosh, x: Real): Real {
  return fromBig(operation(toBig(x)));
}
