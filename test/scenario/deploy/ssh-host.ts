import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { command } from '../prerequisite.ts';
import { leftoversWith } from '../processes.ts';

/** sshd insists on its full path. */
export const SSHD = command('sshd').skip === false ? command('sshd').path : '/usr/sbin/sshd';
const INSTALLER = join(import.meta.dirname, '..', '..', 'fixtures', 'deploy', 'installer.mjs');

/** What a person who deploys has: a key and a list of known hosts. */
export class Owner implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'aivoice-owner-'));
  readonly key = join(this.folder, 'id');
  readonly knownHosts = join(this.folder, 'known_hosts');

  constructor() {
    makeKey(this.key);
    writeFileSync(this.knownHosts, '');
  }

  /** Options of ssh with which only this key and this list count. */
  get sshOptions(): readonly string[] {
    return [
      `UserKnownHostsFile=${this.knownHosts}`,
      'GlobalKnownHostsFile=/dev/null',
      'StrictHostKeyChecking=yes',
      `IdentityFile=${this.key}`,
      'IdentitiesOnly=yes',
    ];
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface HostOptions {
  /** What `uname -m` says there. Default: the truth. */
  readonly machine?: string;
  /** False: nobody ever installed an appliance there. */
  readonly isAppliance?: boolean;
  /** False: sudo asks for a password. */
  readonly hasSudo?: boolean;
  /** Programs (name -> text of a shell script) in front of the others. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Variables of every session. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a host and makes it known to the owner. */
export async function startHost(owner: Owner, options: HostOptions = {}): Promise<SshHost> {
  const host = new SshHost(owner, options, await freePort());
  await host.listening();
  return host;
}

/** SshHost: a real sshd on a port of its own, behind which `sudo` and `aivoice-install` are stand-ins. */
export class SshHost implements AsyncDisposable {
  readonly port: number;
  readonly root = mkdtempSync(join(tmpdir(), 'aivoice-sshd-'));
  readonly #child: ChildProcess;
  #log = '';
  readonly #abandon = (): void => {
    this.#child.kill('SIGKILL');
    rmSync(this.root, { recursive: true, force: true });
  };

  constructor(owner: Owner, options: HostOptions, port: number) {
    this.port = port;
    const { root } = this;
    makeKey(join(root, 'host-key'));
    this.#makePrograms(options);
    if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
    const variables = { PATH: `${root}/bin:/usr/bin:/bin`, HOME: root, HOST_ROOT: root, ...options.env };
    const settings = [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${root}/host-key`,
      `AuthorizedKeysFile ${owner.key}.pub`,
      'PidFile none',
      'StrictModes no',
      'UsePAM no',
      'PermitRootLogin prohibit-password',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      `SetEnv ${Object.entries(variables)
        .map(([name, value]) => `${name}=${value}`)
        .join(' ')}`,
    ];
    writeFileSync(join(root, 'sshd_config'), `${settings.join('\n')}\n`);
    this.#child = spawn(SSHD, ['-D', '-e', '-f', join(root, 'sshd_config')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // A test that runs out of time never gets to its disposals.
    process.once('exit', this.#abandon);
    appendFileSync(owner.knownHosts, this.knownAs(port));
  }

  /** As the command line of the deploy script names it. */
  get name(): string {
    return `ssh://${userInfo().username}@127.0.0.1:${this.port}`;
  }

  /** Its line of a list of known hosts, as reached through a port. */
  knownAs(port: number): string {
    const [kind, key] = readFileSync(join(this.root, 'host-key.pub'), 'utf8').split(' ');
    return `[127.0.0.1]:${port} ${kind} ${key}\n`;
  }

  /** Every call of `aivoice-install` so far, without the rest of the hash. */
  get calls(): readonly string[] {
    return this.read('calls').split('\n').filter(Boolean);
  }

  /** A file of the host; empty where there is none. */
  read(file: string): string {
    const path = join(this.root, file);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.root, file), text);
  }

  /** The verb waits until it is let go; with the lock held: `kept` at the end of a `receive`, `switch` in an `apply`. */
  hold(step: 'have' | 'receive' | 'kept' | 'apply' | 'switch'): { letGo(): void } {
    const file = join(this.root, `hold-${step}`);
    writeFileSync(file, '');
    return { letGo: () => rmSync(file) };
  }

  /** Resolves when an update is in the middle of it, held there. */
  async switching(): Promise<void> {
    await this.until('calls', (text) => text.includes('apply'));
    await this.until('lock', (text) => text !== '');
  }

  /** Resolves when a file of the host is there and as described. */
  async until(file: string, matches: (text: string) => boolean, ms = 20_000): Promise<void> {
    const late = new Error(`${file} was not as described within ${ms} ms`);
    const watcher = watch(this.root);
    const timer = setTimeout(() => watcher.emit('error', late), ms);
    try {
      while (!matches(this.read(file))) await once(watcher, 'change');
    } catch (error) {
      throw new Error(`${String(error)}: ${JSON.stringify(this.read(file))}`, { cause: error });
    } finally {
      clearTimeout(timer);
      watcher.close();
    }
  }

  async listening(): Promise<void> {
    const stderr = this.#child.stderr;
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text;
    });
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    while (!this.#log.includes('Server listening')) {
      if (stderr === null || stderr.readableEnded) throw new Error(`sshd did not start: ${this.#log}`);
      await Promise.race([once(stderr, 'data'), once(stderr, 'end')]);
    }
    clearTimeout(timer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#abandon);
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGTERM');
      await once(this.#child, 'exit');
    }
    // What a broken connection left at work there comes to its end; what a hold keeps is ended.
    for (const { pid } of await leftoversWith(`HOST_ROOT=${this.root}`, 1000)) process.kill(pid, 'SIGKILL');
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  #makePrograms({ machine, isAppliance = true, hasSudo = true, programs = {} }: HostOptions): void {
    const sudo = hasSudo
      ? '[ "$1" = -n ] && shift\nexec "$@"'
      : 'echo "sudo: a password is required" >&2\nexit 1';
    const own: Record<string, string> = { sudo };
    if (isAppliance) own['aivoice-install'] = `exec ${process.execPath} ${INSTALLER} "$@"`;
    if (machine !== undefined) own.uname = `echo ${machine}`;
    mkdirSync(join(this.root, 'bin'));
    for (const [name, text] of Object.entries({ ...own, ...programs })) {
      writeFileSync(join(this.root, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    }
  }
}

/** A port that nobody uses; nobody here takes ports so fast that it would be gone. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function makeKey(file: string): void {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', file]);
}
