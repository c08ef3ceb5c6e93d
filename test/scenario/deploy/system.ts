import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildRelease, type Recipe } from '../../release/builder.ts';
import { SigningKey } from '../../release/key.ts';

const SCRIPT = join(import.meta.dirname, '..', '..', '..', 'deploy', 'install-on-pi-os.sh');

/** System: a folder that stands for the root of somebody's Debian. */
export class System implements Disposable {
  readonly key = new SigningKey();
  readonly #root = mkdtempSync(join(tmpdir(), 'aivoice-system-'));

  constructor() {
    for (const folder of ['etc', 'tmp']) mkdirSync(this.path(folder));
    this.write('etc/os-release', 'PRETTY_NAME="Debian"\nID=debian\nVERSION_CODENAME="trixie"\n');
    this.write('etc/passwd', 'root:x:0:0:root:/root:/bin/sh\n');
    this.write('etc/group', 'root:x:0:\nadm:x:4:\ndialout:x:20:\naudio:x:29:\n');
  }

  async release(recipe: Partial<Recipe> = {}): Promise<Buffer> {
    return await buildRelease({ version: '1.0.0', key: this.key, ...recipe });
  }

  /** Installs these bytes as a release, trusting `key`. */
  async install(bytes: Uint8Array, ...args: readonly string[]) {
    this.write('tmp/a release.tar.zst', bytes);
    this.write('tmp/signers', this.key.signers);
    const files = ['--release', this.path('tmp/a release.tar.zst'), '--signers', this.path('tmp/signers')];
    return await this.run(...files, ...args);
  }

  async run(...args: readonly string[]) {
    return await this.#execute(SCRIPT, ['--root', this.#root, ...args]);
  }

  /** The same while somebody else has taken the root for themselves. */
  async whileLocked(...args: readonly string[]) {
    return await this.#execute('flock', [this.#root, SCRIPT, '--root', this.#root, ...args]);
  }

  async #execute(program: string, args: readonly string[]) {
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, LANG: 'en_US.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const parts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        parts[name] += text;
      });
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    return { code, ...parts };
  }

  path(...parts: readonly string[]): string {
    return join(this.#root, ...parts);
  }

  has(file: string): boolean {
    return existsSync(this.path(file));
  }

  read(file: string): string {
    return readFileSync(this.path(file), 'utf8');
  }

  write(file: string, content: string | Uint8Array): void {
    writeFileSync(this.path(file), content);
  }

  mode(file: string): number {
    return statSync(this.path(file)).mode & 0o7777;
  }

  names(folder: string): readonly string[] {
    return readdirSync(this.path(folder)).toSorted();
  }

  [Symbol.dispose](): void {
    this.key[Symbol.dispose]();
    rmSync(this.#root, { recursive: true, force: true });
  }
}
