import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '#kernel/fault.ts';
import { isTool, type Tool } from './tool.ts';

/**
 * The last-known tools of one server, on disk: from the second start on the cloud gets a list before any server is up.
 * Keyed by the server's settings: another command is another server. Written only when the list changed, since the card
 * wears out; a file that cannot be read or written only costs the wait of a first start.
 */
export class KnownTools {
  readonly #file: string;
  readonly #key: string;
  readonly #onWritten: () => void;
  #written: string | undefined;

  /** `folder` is made when something is written; `key` is a hash of the server's settings, safe as a file name. */
  constructor(folder: string, key: string, onWritten = () => {}) {
    this.#file = join(folder, `${key}.json`);
    this.#key = key;
    this.#onWritten = onWritten;
  }

  read(): Tool[] | undefined {
    try {
      this.#written = readFileSync(this.#file, 'utf8');
      const { key, tools } = JSON.parse(this.#written) as { key?: unknown; tools?: unknown };
      return key === this.#key && Array.isArray(tools) && tools.every(isTool) ? tools : undefined;
    } catch {
      return undefined; // not there, or cut off by a power cut: the server is asked as at its first start
    }
  }

  /** Returns the errno of a failed write, '' when written or nothing changed. */
  write(tools: readonly Tool[]): string {
    const text = JSON.stringify({ key: this.#key, tools });
    if (text === this.#written) return '';
    const fresh = `${this.#file}.new`;
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      writeFileSync(fresh, text, { mode: 0o600 });
      renameSync(fresh, this.#file);
    } catch (error) {
      return errnoOf(error) || 'EIO';
    }
    this.#written = text;
    this.#onWritten();
    return '';
  }
}
