import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { COMMAND } from '../aivoice.ts';

const PROGRAM = join(dirname(COMMAND), 'provision.js');
const BOOT_MS = 60_000;
/** Programs of the system that change more than a folder: each leaves a line in `calls` and says nothing. */
const STAND_INS = ['mount', 'findmnt', 'sfdisk', 'partx', 'resize2fs', 'iw', 'rfkill'];

/** Where things are on a card. */
export const PLACE = {
  wifi: 'etc/NetworkManager/system-connections/aivoice-wifi.nmconnection',
  endpoint: 'etc/aivoice/endpoint',
  token: 'etc/aivoice/voice-token',
  settings: 'etc/aivoice/appliance.toml',
  logins: 'etc/ssh/keys/owner.authorized_keys',
  hostKey: 'etc/ssh/keys/ssh_host_ed25519_key',
  host: 'var/lib/aivoice-host/host.json',
  hostname: 'etc/hostname',
  machineId: 'var/lib/aivoice-host/machine-id',
  given: 'boot/firmware/aivoice.toml',
  errors: 'boot/firmware/aivoice-errors.txt',
} as const;

export interface Booted {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** All that it said. */
  readonly said: string;
}

/** Card: the folders of a device below a temporary root, which is booted by the real program with stand-ins on its PATH. */
export class Card implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'aivoice-card-'));
  readonly #running = new Set<ChildProcess>();

  constructor() {
    for (const name of STAND_INS) this.standIn(name, '');
    const [node, product] = [process.execPath, COMMAND];
    this.put('opt/aivoice/factory/bin/aivoice', `#!/bin/sh\nexec '${node}' '${product}' "$@"\n`, 0o755);
    this.put('etc/group', 'root:x:0:\naivoice:x:900:\n');
    this.put('proc/sys/kernel/hostname', 'localhost\n');
    this.put('usr/share/zoneinfo/Asia/Tokyo', '');
    this.board('52:54:00:00:00:01');
    mkdirSync(join(this.root, 'boot/firmware'), { recursive: true });
  }

  /** Puts the card into a board whose network card has this address. */
  board(address: string): void {
    const card = 'sys/class/net/eth0';
    mkdirSync(join(this.root, card, 'device'), { recursive: true });
    for (const [name, text] of Object.entries({ type: '1', addr_assign_type: '0', address }))
      this.put(join(card, name), `${text}\n`);
  }

  /** What a stand-in does beside leaving its line; shell. */
  standIn(name: string, script: string): void {
    const note = `echo "${name} $*" >>'${join(this.root, 'calls')}'`;
    this.put(join('stand-ins', name), `#!/bin/sh\n${note}\n${script}\n`, 0o755);
  }

  put(path: string, text: string | Uint8Array, mode = 0o644): void {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    chmodSync(full, mode);
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    symlinkSync(target, join(this.root, path));
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** The text of a file; empty where there is none. */
  text(path: string): string {
    return this.has(path) ? readFileSync(join(this.root, path), 'utf8') : '';
  }

  /** Permission bits, as `600`. */
  mode(path: string): string {
    return (statSync(join(this.root, path)).mode & 0o777).toString(8);
  }

  names(folder: string): string[] {
    return readdirSync(join(this.root, folder)).sort();
  }

  /** What the stand-ins were asked. */
  get calls(): string[] {
    return this.text('calls').split('\n').filter(Boolean);
  }

  /** Every file of the card, with what it holds. */
  everything(): ReadonlyMap<string, string> {
    const files = readdirSync(this.root, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    return new Map(
      files.map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [path.slice(this.root.length + 1), readFileSync(path, 'latin1')];
      }),
    );
  }

  /** One boot to its end; with `until` the power goes as soon as that holds. */
  async boot(until?: () => boolean, args: readonly string[] = ['boot']): Promise<Booted> {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { PATH: `${join(this.root, 'stand-ins')}:${process.env.PATH}`, AIVOICE_ROOT: this.root },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.add(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text));
    const late = setTimeout(() => child.kill('SIGKILL'), BOOT_MS);
    const look = setInterval(() => until?.() && child.kill('SIGKILL'), 1);
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    clearTimeout(late);
    clearInterval(look);
    this.#running.delete(child);
    return { code, signal, said };
  }

  [Symbol.dispose](): void {
    for (const child of this.#running) child.kill('SIGKILL');
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A login key that is whole; nobody has the other half. */
export const LOGIN =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@home';

/** A file with everything in it, each key with a mark by which it can be found again. */
export const FILLED = `name = "living-room"
language = "ja"
time_zone = "Asia/Tokyo"
ntp = ["ntp.example.jp", "192.0.2.1"]
endpoint = "wss://cloud.example/mcp/?token=CANARYendpoint"
ssh_key = "${LOGIN}"

[wifi]
ssid = "自宅 5G"
password = "CANARYwifi$1"
country = "JP"

[voice]
url = "wss://voice.example/"
token = "CANARYvoice"

[audio]
volume = 30
`;
