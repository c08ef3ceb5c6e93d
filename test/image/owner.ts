import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Done, type ExecuteOptions, execute, output } from './execute.ts';

/** Owner: somebody at another computer with the one key that may log in. */
export class Owner {
  readonly #folder: string;
  readonly #port: number;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  /** Makes the key in a folder of the test; a key that is there already is kept. */
  static async withKey(folder: string, port: number): Promise<Owner> {
    const owner = new Owner(folder, port);
    if (!existsSync(owner.keyFile)) {
      await output('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'owner', '-f', owner.keyFile]);
    }
    return owner;
  }

  get keyFile(): string {
    return join(this.#folder, 'owner-key');
  }

  get publicKey(): string {
    return readFileSync(`${this.keyFile}.pub`, 'utf8').trim();
  }

  readonly address = 'owner@127.0.0.1';

  get port(): number {
    return this.#port;
  }

  /** Options of ssh, each as `-o` takes it. */
  get options(): readonly string[] {
    return [
      `IdentityFile=${this.keyFile}`,
      'IdentitiesOnly=yes',
      `UserKnownHostsFile=${this.knownHosts}`,
      'StrictHostKeyChecking=accept-new',
      'BatchMode=yes',
      'ConnectTimeout=20',
    ];
  }

  get knownHosts(): string {
    return join(this.#folder, 'known_hosts');
  }

  /** As at another computer, which has never seen the machine: what answers next is taken for it. */
  forgetMachine(): void {
    rmSync(this.knownHosts, { force: true });
  }

  /** Runs a command line on the machine. */
  async ssh(command: string, options: ExecuteOptions = {}): Promise<Done> {
    return await execute('ssh', [...this.#arguments(), this.address, command], options);
  }

  #arguments(): readonly string[] {
    return ['-F', 'none', '-p', `${this.#port}`, ...this.options.flatMap((option) => ['-o', option])];
  }
}
