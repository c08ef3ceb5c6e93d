import type { Words } from './words.ts';

/** Stable in every language; `FILES_ARGUMENT` is a call that lacks or misuses an argument. */
type FilesCode =
  | 'FILES_OUTSIDE'
  | 'FILES_NOT_FOUND'
  | 'FILES_DENIED'
  | 'FILES_BINARY'
  | 'FILES_NOT_A_FILE'
  | 'FILES_NO_ROOT'
  | 'FILES_AMBIGUOUS'
  | 'FILES_ARGUMENT';

/** Why a call is not answered with what it asked for. The sentence is made late, in the language of the settings. */
export class Refusal extends Error {
  readonly code: FilesCode;
  readonly say: (words: Words) => string;
  /** Facts beside the code for the structured answer; relative paths only. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: FilesCode, say: (words: Words) => string, facts: Record<string, unknown> = {}) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.say = say;
    this.facts = facts;
  }
}

/** What the system said about a path, as one of our codes. Anything that is no errno is a fault of ours and goes on. */
export function refusalOf(error: unknown, path: string): unknown {
  const errno = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (errno) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ELOOP':
    case 'EINVAL':
    case 'ENAMETOOLONG':
      return new Refusal('FILES_NOT_FOUND', (words) => words.notFound(path), { path });
    case 'EACCES':
    case 'EPERM':
      return new Refusal('FILES_DENIED', (words) => words.noPermission(path), { path });
    case 'EIO':
    case 'ESTALE':
    case 'ENXIO':
    case 'ENODEV':
    case 'ETIMEDOUT':
    case 'EHOSTDOWN':
      return new Refusal('FILES_DENIED', (words) => words.unreadable(path, String(errno)), { path });
    default:
      return error;
  }
}
