import { type Budget, LIMITS } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import { logGamma } from './gamma.ts';
import { bits, gcd } from './ratio.ts';
import { fromBig, type Real, toBig } from './real.ts';

/** Microseconds that a term of a long product costs. */
const TERM = 0.3;
/** Microseconds of Stirling's series and its exponential. */
const LOG_GAMMA = 2500;

/** n!: multiplied out up to the limit, above it by Stirling's series to about 50 digits. */
export function factorial(n: bigint, budget: Budget): Real {
  if (n < 0n) throw new Refusal('naturalNumber', { detail: '!' });
  if (n <= BigInt(LIMITS.factorial)) {
    budget.spend(Number(n) * TERM);
    return productOfRange(1n, n);
  }
  budget.spend(LOG_GAMMA);
  return fromBig(logGamma(toBig(n + 1n)).exp());
}

/** The number of ways to choose `k` of `n` without order. */
export function combinations(n: bigint, k: bigint, budget: Budget): bigint {
  if (n < 0n || k < 0n) throw new Refusal('naturalNumber', { detail: 'comb' });
  if (k > n) return 0n;
  const terms = k < n - k ? k : n - k;
  return permutations(n, terms, budget) / productOfRange(1n, terms);
}

/** The number of ways to choose `k` of `n` with order. */
export function permutations(n: bigint, k: bigint, budget: Budget): bigint {
  if (n < 0n || k < 0n) throw new Refusal('naturalNumber', { detail: 'perm' });
  if (k > n) return 0n;
  const tooMany = k > BigInt(LIMITS.choose) || bits(n) > LIMITS.fractionBits;
  const width = bits(n) > 64 ? bits(n) : Math.log2(Number(n) + 1);
  if (tooMany || Number(k) * width > LIMITS.wholeBits * 2) throw new Refusal('tooLarge');
  budget.spend(Number(k) * TERM * 2 * Math.ceil(width / 64));
  return productOfRange(n - k + 1n, n);
}

/** The greatest common divisor of operands that are small enough for it. */
export function commonDivisor(a: bigint, b: bigint): bigint {
  if (bits(a) > LIMITS.integerBits || bits(b) > LIMITS.integerBits) throw new Refusal('tooLarge');
  return gcd(a, b);
}

/** The least common multiple, never negative; 0 where one of the two is 0. */
export function commonMultiple(a: bigint, b: bigint): bigint {
  if (a === 0n || b === 0n) return 0n;
  const multiple = (a / commonDivisor(a, b)) * b;
  return multiple < 0n ? -multiple : multiple;
}

/** The product of all whole numbers from `first` to `last`, by halves so that the factors stay of like size. */
function productOfRange(first: bigint, last: bigint): bigint {
  if (last - first < 16n) {
    let product = 1n;
    for (let factor = first; factor <= last; factor += 1n) product *= factor;
    return product;
  }
  const middle = (first + last) / 2n;
  return productOfRange(first, middle) * productOfRange(middle + 1n, last);
}
