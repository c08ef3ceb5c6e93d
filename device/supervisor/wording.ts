import type { Code } from '#kernel/codes.ts';
import type { Service } from '#kernel/service.ts';

/** The codes that the supervisor itself gives to what befalls a service. */
export interface Words {
  /** It ended and gave no code. */
  readonly ended: Code;
  /** It keeps ending. */
  readonly failing: Code;
  /** It was not ready in time. */
  readonly late: Code;
}

const SERVER: Words = { ended: 'SERVER_EXITED', failing: 'SERVER_FAILING', late: 'SERVER_TIMEOUT' };
const OWN: Words = { ended: 'INTERNAL', failing: 'PART_FAILING', late: 'PART_TIMEOUT' };

/** A part of our own has no command that its owner could check: it is not spoken of as a server. */
export function wordsOf({ kind }: Pick<Service, 'kind'>): Words {
  return kind === 'server' ? SERVER : OWN;
}
