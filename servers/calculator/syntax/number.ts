import { LIMITS } from '../limits.ts';
import { fromDecimal, type Real } from '../numbers/real.ts';
import { Refusal } from '../refusal.ts';

export interface NumberText {
  /** Characters that it takes. */
  readonly length: number;
  readonly value: Real;
  /** As the reading shows it: without separators, in decimal. */
  readonly text: string;
}

const RADIX = /^0(?:[xX][\da-fA-F](?:_?[\da-fA-F])*|[bB][01](?:_?[01])*|[oO][0-7](?:_?[0-7])*)(?!\w)/;
const GROUPED = /^\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?/;
const PLAIN = /^(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?/;

/**
 * Reads the number that `rest` begins with. `grouping` allows `1,000,000`: where commas separate values they only group
 * when a group begins with 0, since nobody writes the value `000`.
 */
export function readNumber(rest: string, grouping: boolean): NumberText | undefined {
  const radix = RADIX.exec(rest)?.[0];
  if (radix !== undefined) {
    const value = BigInt(check(radix.replaceAll('_', '')));
    return { length: radix.length, value, text: value.toString() };
  }
  const grouped = GROUPED.exec(rest)?.[0];
  const found = grouped !== undefined && (grouping || /,0/.test(grouped)) ? grouped : PLAIN.exec(rest)?.[0];
  if (found === undefined) return undefined;
  const text = check(tidy(found.replaceAll(/[_,]/g, '')));
  return { length: found.length, value: fromDecimal(text), text };
}

/** `.5` is 0.5, `5.` is 5, `007` is 7. */
function tidy(text: string): string {
  const [mantissa = '', exponent] = text.toLowerCase().split('e');
  const [whole = '', decimals = ''] = mantissa.split('.');
  const number = (whole.replace(/^0+(?=\d)/, '') || '0') + (decimals === '' ? '' : `.${decimals}`);
  return exponent === undefined ? number : `${number}e${exponent.replace('+', '')}`;
}

function check(text: string): string {
  const [mantissa = '', exponent = '0'] = /^0[xbo]/i.test(text) ? [text] : text.split('e');
  const digits = mantissa.replace(/^0[xbo]/i, '').replace('.', '').length;
  if (digits > LIMITS.digits || Math.abs(Number(exponent)) > LIMITS.exponent)
    throw new Refusal('tooManyDigits');
  return text;
}
