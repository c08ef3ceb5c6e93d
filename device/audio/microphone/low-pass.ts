/** How far down, in dB, everything is that the lower rate cannot hold. */
const STOP_DB = 70;
/** The part of what the lower rate can hold that passes untouched: to 7 kHz at 16 kHz. */
const PASS = 0.875;

/** A windowed sinc, cut into one row of taps for each place that a sample can have between two samples of the source. */
export interface LowPass {
  readonly rows: readonly Float64Array[];
  readonly taps: number;
}

/**
 * The low-pass filter between two rates, of which the higher one is `up` times the source's: passes below 0.875 of the lower
 * half rate, and stops from that half rate on. Each row sums to 1, so that loudness stays as it is whatever the row.
 */
export function lowPass(fromHz: number, toHz: number, up: number): LowPass {
  const half = Math.min(fromHz, toHz) / 2;
  const cutoff = (half * (1 + PASS)) / 2 / fromHz;
  const transition = (half * (1 - PASS)) / fromHz;
  // Kaiser's formulas for the length and the shape of the window.
  const taps = 2 * Math.ceil((STOP_DB - 7.95) / (14.36 * transition) / 2);
  const beta = 0.1102 * (STOP_DB - 8.7);
  const rows = Array.from({ length: up }, (_, row) => {
    const weights = Array.from({ length: taps }, (_, tap) => {
      const at = tap - taps / 2 + 1 - row / up;
      return sinc(2 * cutoff * at) * kaiser(at / (taps / 2), beta);
    });
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return Float64Array.from(weights, (weight) => weight / sum);
  });
  return { rows, taps };
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number, beta: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(beta * Math.sqrt(1 - x * x)) / bessel(beta);
}

/** The modified Bessel function of the first kind, order 0, by its series. */
function bessel(x: number): number {
  let sum = 1;
  for (let term = 1, k = 1; term > sum * 1e-12; k++) {
    term *= (x / 2 / k) ** 2;
    sum += term;
  }
  return sum;
}
