import { closest, distance } from 'fastest-levenshtein';
import { functionNames } from '../functions/table.ts';
import { Refusal } from '../refusal.ts';
import { isMoney } from '../units/unit.ts';
import type { Token } from './token.ts';

/** A name is shown so far, so that the answer does not grow with the question. */
const SHOWN = 24;

/** Refuses a name, with the nearest function where one is near. */
export function unknownName({ text, at }: Token): Refusal {
  if (isMoney(text)) return new Refusal('currency', { detail: text, position: at });
  const shown = text.slice(0, SHOWN);
  const near = closest(shown.toLowerCase(), functionNames());
  const isNear = shown.length > 2 && distance(shown.toLowerCase(), near) <= Math.min(2, shown.length / 3);
  if (!isNear) return new Refusal('unknownName', { detail: shown, position: at });
  return new Refusal('unknownNear', { detail: `${shown}\t${near}`, position: at });
}
