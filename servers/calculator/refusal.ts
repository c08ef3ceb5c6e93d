import { MESSAGES, type MessageKey } from './messages.ts';

/** The stable codes of the calculator, the same in both languages. */
export type CalcCode =
  | 'CALC_SYNTAX'
  | 'CALC_TOO_LARGE'
  | 'CALC_DOMAIN'
  | 'CALC_UNKNOWN_NAME'
  | 'CALC_UNSUPPORTED';

/**
 * Refusal: why an expression has no value. `position` counts UTF-16 units from the start of the expression as it was
 * given; an operation that does not know it leaves it to the evaluator, which fills in where the operation stands.
 */
export class Refusal extends Error {
  readonly key: MessageKey;
  readonly detail: string;
  position: number | undefined;

  constructor(key: MessageKey, options: { detail?: string; position?: number } = {}) {
    super(key);
    this.name = 'Refusal';
    this.key = key;
    this.detail = options.detail ?? '';
    this.position = options.position;
  }

  get code(): CalcCode {
    return MESSAGES[this.key].code;
  }
}
