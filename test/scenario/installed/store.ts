import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A root folder in which an installer has been, for an appliance that runs from elsewhere. */
export class Store implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'aivoice-root-'));
  readonly #folder = join(this.root, 'var/lib/aivoice-releases');

  constructor() {
    mkdirSync(this.#folder, { recursive: true });
  }

  get env(): Record<string, string> {
    return { AIVOICE_ROOT: this.root };
  }

  /** Writes a file of the store as the installer does: whole, by a rename. */
  write(name: string, value: object): void {
    this.#put(join(this.#folder, name), JSON.stringify(value));
  }

  writeImage(value: object): void {
    this.#put(join(this.root, 'opt/aivoice/image.json'), JSON.stringify(value));
  }

  /** What the system tells in one word. */
  writeWord(path: string, word: string): void {
    this.#put(join(this.root, path), `${word}\n`);
  }

  remove(name: string): void {
    rmSync(join(this.#folder, name));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #put(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.fresh`, text);
    renameSync(`${path}.fresh`, path);
  }
}
