import type { FileHandle } from 'node:fs/promises';
import { distance } from 'fastest-levenshtein';
import { MAX_ENTRIES, readEntries } from './directory.ts';
import { display, foldOf, formOf, isHidden, isShut } from './names.ts';

/** Names of one folder that may be meant by what was asked for. */
interface Candidates {
  /** All equally good: one is the answer, more are an ambiguity, none is not found. */
  readonly names: readonly Buffer[];
  /** The most similar visible name when nothing fits, as it is shown. */
  readonly nearest?: string;
}

/**
 * Looks for a name that is not there to the byte. The first rule that fits anything decides: the same bytes, the same
 * name in another Unicode form, the name as listings show it (`\x82`), the same name but for case.
 */
export async function lookUp(folder: FileHandle, asked: string, signal: AbortSignal): Promise<Candidates> {
  const bytes = Buffer.from(asked);
  const found: Buffer[][] = [[], [], [], []];
  const similar = new Nearest(asked);
  let seen = 0;
  await readEntries(folder, signal, ({ name }) => {
    const shown = display(name);
    const text = name.toString('utf8');
    if (name.equals(bytes)) found[0]?.push(name);
    else if (formOf(text) === formOf(asked)) found[1]?.push(name);
    else if (shown === asked) found[2]?.push(name);
    else if (foldOf(text) === foldOf(asked)) found[3]?.push(name);
    else if (!isHidden(name) && !isShut(name)) similar.offer(shown);
    seen += 1;
    return seen < MAX_ENTRIES;
  });
  const names = found.find((each) => each.length > 0) ?? [];
  return { names, ...(names.length === 0 && similar.best !== undefined ? { nearest: similar.best } : {}) };
}

/** The name with the fewest edits, when they are few for its length; one that contains what was asked also counts. */
class Nearest {
  best: string | undefined;
  readonly #asked: string;
  #edits: number;

  constructor(asked: string) {
    this.#asked = fuzzy(asked);
    this.#edits = Math.max(1, Math.floor(this.#asked.length * 0.4)) + 1;
  }

  offer(name: string): void {
    const other = fuzzy(name);
    const contained = this.#asked.length > 1 && other.includes(this.#asked);
    const edits = contained ? Math.min(1, this.#edits - 1) : distance(this.#asked, other);
    if (edits >= this.#edits) return;
    this.#edits = edits;
    this.best = name;
  }
}

/** Full-width and half-width letters look alike to who types them. */
function fuzzy(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
