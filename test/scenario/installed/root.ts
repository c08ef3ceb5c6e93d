import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { COMMAND, Command, type CommandOptions } from '../aivoice.ts';
import { Home } from '../home.ts';
import { command } from '../prerequisite.ts';
import type { Output } from '../program.ts';

/** Who nobody is on Debian. */
const NOBODY = 65_534;
export const IS_ROOT = process.getuid?.() === 0;

/** What stands in for the installer of a release: says what it was told, and ends as it was told to. */
const INSTALLER = `
const { readFileSync } = require('node:fs');
const root = process.env.AIVOICE_ROOT;
const wish = JSON.parse(readFileSync(root + '/wish.json', 'utf8'));
process.on('SIGTERM', () => { console.log('in order'); process.exit(5); });
console.log(JSON.stringify({ args: process.argv.slice(2), env: process.env, uid: process.getuid() }));
console.error('the installer speaks');
if (wish.stay) setInterval(() => {}, 1000); else process.exitCode = wish.code;
`;

/** As sudo is called: notes what it is asked for, allows it or not, and runs the command, which here stays who it is. */
const SUDO = `#!/bin/sh
for word; do printf '%s\\n' "$word"; done >>"$AIVOICE_ROOT/sudo.log"
test -e "$AIVOICE_ROOT/allowed" || { echo 'sudo: a password is required' >&2; exit 1; }
shift
test "$1" = -l && exit 0
SUDO_COMMAND="$*" exec "$@"
`;

/** What stands where the owner's command line is: says what it was told and what stood on its stdin. */
const OWNERS = `#!/bin/sh
for word; do printf '%s\\n' "$word"; done
cat
exit 9
`;

/** A root folder with an installed release, an owner who is not root, and a control socket that is closed to them. */
export class InstalledRoot implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'aivoice-root-'));
  readonly home = new Home();
  readonly store = join(this.root, 'var/lib/aivoice-releases');
  readonly #closed: string[] = [];
  readonly #dist = join(this.store, 'releases/1.2.3/dist');

  constructor() {
    chmodSync(this.root, 0o777);
    chmodSync(this.home.folder, 0o755);
    cpSync(dirname(COMMAND), this.#dist, {
      recursive: true,
      filter: (path) => !/\.map$|\/cache$|\/servers$/.test(path),
    });
    this.put('var/lib/aivoice-releases/releases/1.2.3/dist/install.js', INSTALLER);
    this.put('bin/sudo', SUDO, 0o755);
    this.put('usr/local/bin/aivoice', OWNERS, 0o755);
    this.put('allowed', '');
    this.wish({ code: 0 });
    this.#closeSocket('');
  }

  /** Another root below this one, in which nothing is installed, with a socket that is closed as well. */
  other(): string {
    this.#closeSocket('other/');
    return join(this.root, 'other');
  }

  get env(): Record<string, string> {
    const { PATH } = this.home.env;
    return {
      AIVOICE_ROOT: this.root,
      XDG_RUNTIME_DIR: join(this.root, 'user'),
      PATH: `${join(this.root, 'bin')}:${PATH}`,
    };
  }

  /** How the stand-in of the installer is to end. */
  wish(wish: { readonly code?: number; readonly stay?: boolean }): void {
    this.put('wish.json', JSON.stringify(wish));
  }

  /** Writes a file below the root, whole by a rename. */
  put(name: string, text: string, mode = 0o644): void {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.fresh`, text, { mode });
    chmodSync(`${path}.fresh`, mode);
    renameSync(`${path}.fresh`, path);
  }

  remove(name: string): void {
    rmSync(join(this.root, name), { recursive: true });
  }

  /** What sudo was asked for, a word a line. */
  get asked(): string {
    return readFileSync(join(this.root, 'sudo.log'), { encoding: 'utf8', flag: 'a+' });
  }

  /** Starts a command line of the installed release, as root or as its owner. */
  start(who: 'root' | 'owner', args: readonly string[], options: CommandOptions = {}): Command {
    const file = join(this.#dist, 'aivoice.js');
    const place = { ...options, env: { ...this.env, ...options.env } };
    if (who === 'root' || !IS_ROOT) return new Command(this.home, args, { ...place, file });
    const asNobody = ['--reuid', `${NOBODY}`, '--clear-groups', process.execPath, file, ...args];
    return new Command(this.home, asNobody.slice(1), {
      ...place,
      node: command('setpriv').path,
      file: asNobody[0] ?? '',
    });
  }

  async run(who: 'root' | 'owner', args: readonly string[], options: CommandOptions = {}): Promise<Output> {
    await using command = this.start(who, args, options);
    return await command.output();
  }

  #closeSocket(below: string): void {
    this.put(`${below}run/aivoice/control.sock`, '');
    chmodSync(join(this.root, below, 'run/aivoice'), IS_ROOT ? 0o700 : 0);
    this.#closed.push(join(this.root, below, 'run/aivoice'));
  }

  [Symbol.dispose](): void {
    for (const folder of this.#closed.filter((path) => existsSync(path))) chmodSync(folder, 0o700);
    rmSync(this.root, { recursive: true, force: true });
    this.home[Symbol.dispose]();
  }
}
