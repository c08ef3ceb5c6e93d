import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key that signs releases, made for one run of tests. */
export class SigningKey implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'aivoice-key-'));
  /** The private key, for what signs by itself. */
  readonly file = join(this.#folder, 'release-key');

  constructor() {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', this.file]);
  }

  /** The line of `allowed_signers` that trusts it. */
  get signers(): string {
    return `aivoice-release namespaces="aivoice-release" ${readFileSync(`${this.file}.pub`, 'utf8').trim()}\n`;
  }

  sign(bytes: Uint8Array, namespace = 'aivoice-release'): Buffer {
    const file = join(this.#folder, 'manifest.json');
    writeFileSync(file, bytes);
    execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', this.file, '-n', namespace, file], {
      stdio: 'ignore',
    });
    const signature = readFileSync(`${file}.sig`);
    rmSync(`${file}.sig`);
    return signature;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
