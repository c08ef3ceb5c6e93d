import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Disk } from './disk.ts';
import { RootShell } from './root-shell.ts';

export interface MachineOptions {
  readonly disk: Disk;
  /** For its sockets and its console's log; who made it removes it. */
  readonly folder: string;
  /** RAM in MB: 512 is a Zero 2 W. */
  readonly memoryMb: number;
  /** Its network card: another one is another board. */
  readonly mac: string;
  /** Port of loopback behind which its ssh is. */
  readonly sshPort: number;
  /** What it can reach at HOST, and nothing else: port there, port of loopback here. */
  readonly reachable: Readonly<Record<number, number>>;
  /** A pseudo-terminal that becomes its serial line TERMINAL. */
  readonly terminal: string;
}

/** The only host that a machine can reach. */
export const HOST = '10.0.2.100';
/** Name of the terminal's serial line in the machine. */
export const TERMINAL = '/dev/ttyS1';

/** Where the emulator answers for the line of the root shell. */
const SOCKET = 'shell.sock';

/** How long a cold start may take on two busy cores. */
const SHELL_MS = 240_000;
/** A machine asked to power off has this long; a unit may take its whole stop timeout. */
const OFF_MS = 120_000;

/** Adds to the image's own kernel line what a test needs: a console, a root shell, a sound card. */
export function kernelLine(ofImage: string): string {
  const own = ofImage
    .trim()
    .split(/\s+/)
    .filter((word) => !word.startsWith('console='));
  const ours = [
    'console=ttyAMA0',
    'systemd.debug_shell=1',
    'systemd.default_debug_tty=ttyS0',
    'modules_load=snd-aloop',
  ];
  return [...own, ...ours].join(' ');
}

/** Machine: one board with power, emulated by QEMU with the image's own kernel and initrd. */
export class Machine implements AsyncDisposable {
  readonly startedAt = performance.now();
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #cleanup: () => void;
  #shell: RootShell | undefined;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    this.#cleanup = () => child.kill('SIGKILL');
    process.once('exit', this.#cleanup);
  }

  /** Gives power. Resolves when the emulator runs, long before the machine is up. */
  static async start(options: MachineOptions): Promise<Machine> {
    const { folder } = options;
    const line = kernelLine((await options.disk.text('cmdline.txt', folder)) ?? '');
    for (const name of ['vmlinuz', 'initrd.img']) {
      const file = await options.disk.take(name, join(folder, name));
      if (file === undefined) throw new Error(`the image has no ${name} on its boot partition`);
    }
    // One whose power was cut leaves its socket lying there, at which nobody answers.
    rmSync(join(folder, SOCKET), { force: true });
    const log = openSync(join(folder, 'qemu.log'), 'a');
    const args = [...emulated(options), '-append', line];
    const child = spawn('nice', ['-n', '5', 'qemu-system-aarch64', ...args], {
      stdio: ['ignore', log, log],
    });
    const machine = new Machine(child, folder);
    const socket = machine.#socket;
    while (!existsSync(socket)) {
      if (child.exitCode !== null || performance.now() - machine.startedAt > 15_000)
        throw new Error(`the emulator did not start: ${readFileSync(join(folder, 'qemu.log'), 'utf8')}`);
      await sleep(20);
    }
    return machine;
  }

  /** The root shell, once it answers. */
  async shell(ms = SHELL_MS): Promise<RootShell> {
    this.#shell ??= await RootShell.reach(this.#socket, ms);
    return this.#shell;
  }

  /** The last lines of the emulator and of the serial console, for whoever looks for a reason. */
  get console(): string {
    const logs = ['qemu.log', 'console.log'].map((name) => join(this.#folder, name)).filter(existsSync);
    return logs.map((file) => readFileSync(file, 'utf8').split('\n').slice(-20).join('\n')).join('\n');
  }

  /** Pulls the plug. */
  async cutPower(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone();
  }

  /** Asks it to shut down; one that does not has its power cut, and that is thrown. */
  async powerOff(): Promise<void> {
    const shell = await this.shell();
    await shell.run('systemctl poweroff --no-block').catch(() => undefined);
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), OFF_MS);
    await this.#gone();
    clearTimeout(timer);
    if (this.#child.signalCode === 'SIGKILL') throw new Error(`not off within ${OFF_MS / 1000} s`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cutPower();
  }

  async #gone(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    this.#shell?.[Symbol.dispose]();
    this.#shell = undefined;
    process.off('exit', this.#cleanup);
  }

  get #socket(): string {
    return join(this.#folder, SOCKET);
  }
}

function emulated(options: MachineOptions): readonly string[] {
  const { disk, folder, memoryMb, mac, sshPort, reachable, terminal } = options;
  const forwards = Object.entries(reachable).map(
    // A program a connection: a plain character device would be one connection for all.
    ([port, local]) => `guestfwd=tcp:${HOST}:${port}-cmd:socat - TCP:127.0.0.1:${local}`,
  );
  const net = ['user', 'id=net', 'restrict=on', `hostfwd=tcp:127.0.0.1:${sshPort}-:22`, ...forwards];
  return [
    ...['-M', 'virt,gic-version=3', '-cpu', 'cortex-a53', '-smp', '2', '-m', `${memoryMb}`],
    ...['-accel', 'tcg,thread=multi,tb-size=512', '-display', 'none', '-no-reboot', '-monitor', 'none'],
    ...['-kernel', join(folder, 'vmlinuz'), '-initrd', join(folder, 'initrd.img')],
    // What the machine has written is the host's, flushed or not: it survives the end of the emulator, which is all that
    // is ever cut here. To flush would only wait for the host's disk.
    ...['-drive', `if=none,id=card,file=${disk.file},format=raw,cache=unsafe`],
    ...['-device', 'virtio-blk-pci,drive=card', '-device', 'virtio-rng-pci'],
    ...['-netdev', net.join(','), '-device', `virtio-net-pci,netdev=net,mac=${mac},romfile=`],
    ...[
      '-chardev',
      `file,id=console,path=${join(folder, 'console.log')},append=on`,
      '-serial',
      'chardev:console',
    ],
    ...['-chardev', `socket,id=shell,path=${join(folder, SOCKET)},server=on,wait=off`],
    ...['-device', 'pci-serial,chardev=shell,addr=0x8'],
    ...['-chardev', `serial,id=terminal,path=${terminal}`, '-device', 'pci-serial,chardev=terminal,addr=0x9'],
  ];
}
