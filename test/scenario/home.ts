import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'smol-toml';

/** One entry of `mcpServers`. */
export interface ServerEntry {
  readonly type?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly caFile?: string;
  readonly tools?: {
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
    readonly rename?: Readonly<Record<string, string>>;
  };
  readonly async?: string;
  readonly asyncWaitMs?: number;
  readonly asyncTools?: Readonly<Record<string, string | object>>;
  readonly disabled?: boolean;
}

/** Home: the folders of one appliance under test, apart from every other. With KEEP=1 they stay for a look. */
export class Home implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'aivoice-'));
  /** The working directory, where `appliance.toml` and `mcp_settings.json` are found. */
  readonly work = this.#make('work');
  readonly state = this.#make('state');

  /** What the appliance is given. HOME is passed on to its children, so it also marks every process of this appliance. */
  readonly env: Readonly<Record<string, string>> = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    HOME: this.#make('home'),
    XDG_STATE_HOME: this.state,
    XDG_RUNTIME_DIR: this.#make('run'),
    TMPDIR: this.#make('tmp'),
  };

  get mark(): string {
    return `HOME=${this.env.HOME}`;
  }

  /** Writes a file below the working directory, 0600 as settings with a key should be; returns its path. */
  write(name: string, text: string | Uint8Array, mode = 0o600): string {
    const path = join(this.work, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
    return path;
  }

  writeServers(servers: Readonly<Record<string, ServerEntry>>): void {
    this.write('mcp_settings.json', JSON.stringify({ mcpServers: servers }, null, 2));
  }

  /** Writes `appliance.toml`: the text given, with the endpoint put into its table. No settings make no file. */
  writeSettings(text: string, endpoint: string | undefined): void {
    const settings = parse(text) as Record<string, Record<string, unknown>>;
    if (endpoint !== undefined) settings.endpoint = { url: endpoint, ...settings.endpoint };
    if (Object.keys(settings).length > 0) this.write('appliance.toml', stringify(settings));
  }

  [Symbol.dispose](): void {
    if (process.env.KEEP) process.stderr.write(`kept: ${this.folder}\n`);
    else rmSync(this.folder, { recursive: true, force: true });
  }

  #make(name: string): string {
    const folder = join(this.folder, name);
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  }
}
