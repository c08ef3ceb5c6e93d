import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leftoversWith, processesWith } from '../scenario/processes.ts';
import { placeTree } from './builder.ts';
import type { SigningKey } from './key.ts';
import type { TreeFile } from './little-tree.ts';
import { SystemdStandIn } from './systemd-stand-in.ts';

const LAUNCHERS = join(import.meta.dirname, '..', '..', 'deploy', 'install', 'launchers');
const RUN_MS = 120_000;

/** How a run of the installer ended. */
export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HostOptions {
  readonly key: SigningKey;
  /** The factory's release. Default: a little one, 1.0.0. */
  readonly factory?: { readonly version: string; readonly files: readonly TreeFile[] };
  /** `appliance.toml`. Default: only the language. */
  readonly settings?: string;
}

/**
 * Host: an appliance below a folder of its own, with a factory release, settings and data, and a stand-in for systemd that
 * really runs the release in place. Disposing ends what runs and fails where something outlives it. With KEEP=1 the
 * folder stays for a look.
 */
export class Host implements AsyncDisposable {
  readonly root = mkdtempSync(join(tmpdir(), 'aivoice-host-'));
  readonly store = join(this.root, 'var/lib/aivoice-releases');
  readonly factory = join(this.root, 'opt/aivoice/factory');
  readonly systemd: SystemdStandIn;

  constructor({ key, factory, settings = "language = 'en'\n" }: HostOptions) {
    const make = (path: string) => mkdirSync(join(this.root, path), { recursive: true });
    for (const path of [
      'opt/aivoice',
      'etc/aivoice',
      'var/lib/aivoice',
      'var/cache/aivoice',
      'run/aivoice',
      'home',
      'tmp',
    ])
      make(path);
    cpSync(LAUNCHERS, join(this.root, 'opt/aivoice/bin'), { recursive: true });
    placeTree(this.factory, factory?.version ?? '1.0.0', key, factory?.files);
    this.write('opt/aivoice/allowed_signers', key.signers);
    this.write('opt/aivoice/image.json', '{"schema":1,"osLevel":1}');
    this.write('etc/aivoice/appliance.toml', settings);
    this.write('var/lib/aivoice/notes', 'what a person keeps');
    const folder = (name: string) => join(this.root, name);
    const env = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: folder('home'), TMPDIR: folder('tmp') };
    this.systemd = new SystemdStandIn(this.root, env);
  }

  /** As a boot does: the guard, then the appliance. */
  async boot(): Promise<Run> {
    const guarded = await this.install('guard');
    await this.systemd.start();
    return guarded;
  }

  /** As a power cut does: every process of the host is gone at once. */
  async cutPower(): Promise<void> {
    await this.systemd.cutPower();
    for (const { pid } of processesWith(this.root)) process.kill(pid, 'SIGKILL');
    await leftoversWith(this.root, 3000);
  }

  write(name: string, content: string | Uint8Array): string {
    const path = join(this.root, name);
    writeFileSync(path, content);
    return path;
  }

  /** A release file that lies somewhere on the host. */
  file(bytes: Uint8Array, name = 'release.tar.zst'): string {
    return this.write(join('tmp', name), bytes);
  }

  /** Runs the installer to its end. */
  async install(...args: readonly string[]): Promise<Run> {
    return await ended(this.start(...args));
  }

  /** Starts the installer. */
  start(...args: readonly string[]): ChildProcess {
    return this.startWith({}, ...args);
  }

  /** The same with more in its environment. */
  startWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): ChildProcess {
    return spawn(join(this.root, 'opt/aivoice/bin/aivoice-install'), args, {
      cwd: this.root,
      env: { ...this.systemd.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  /** The version that answers at the control socket; `undefined` where nothing does. */
  async serving(): Promise<string | undefined> {
    const line = await ask(join(this.root, 'run/aivoice/control.sock'), { verb: 'status' });
    return (line as { status?: { version?: string } } | undefined)?.status?.version;
  }

  /** What a link of the store leads to: a version, or `factory`. */
  link(name: 'current' | 'good' | 'previous'): string | undefined {
    const path = join(this.store, name);
    try {
      const target = readlinkSync(path);
      return target.slice(target.lastIndexOf('/') + 1);
    } catch {
      return undefined;
    }
  }

  json(name: string): Record<string, unknown> | undefined {
    const path = join(this.store, name);
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  }

  names(folder: string): readonly string[] {
    const path = join(this.store, folder);
    return existsSync(path) ? readdirSync(path) : [];
  }

  /** One hash over the settings and what a person keeps beside them. */
  belongings(): string {
    const settings = readdirSync(join(this.root, 'etc/aivoice')).toSorted();
    const hash = createHash('sha256');
    for (const name of [...settings.map((file) => `etc/aivoice/${file}`), 'var/lib/aivoice/notes'])
      hash.update(name).update(readFileSync(join(this.root, name)));
    return hash.digest('hex');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.systemd[Symbol.asyncDispose]();
    const left = await leftoversWith(this.root, 3000);
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    if (process.env.KEEP) process.stderr.write(`kept: ${this.root}\n`);
    else rmSync(this.root, { recursive: true, force: true });
    if (left.length > 0)
      throw new Error(`left behind: ${left.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`);
  }
}

/** Waits for the end of a program, whose stdin ends unless it is `open`; after two minutes it is killed. */
export async function ended(child: ChildProcess, { open = false } = {}): Promise<Run> {
  const parts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      parts[name] += text;
    });
  child.stdin?.on('error', () => {});
  if (!open && child.stdin?.writableEnded === false) child.stdin.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), RUN_MS);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  return { code, signal, ...parts };
}

function ask(path: string, request: object): Promise<unknown> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let text = '';
    socket.on('error', () => resolve(undefined));
    socket.on('connect', () => socket.write(`${JSON.stringify(request)}\n`));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (!text.includes('\n')) return;
      socket.destroy();
      resolve(JSON.parse(text));
    });
    socket.on('close', () => resolve(undefined));
  });
}
