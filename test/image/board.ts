import type { StatusDocument } from '../../device/supervisor/status.ts';
import type { CloudEvent } from '../cloud/events.ts';
import type { Disk } from './disk.ts';
import type { House } from './house.ts';
import { Machine } from './machine.ts';
import type { RootShell } from './root-shell.ts';

/** The card of the board that the story is about, and one that was put into another one. */
export const MAC = '52:54:00:a1:70:01';
export const OTHER_MAC = '52:54:00:a1:70:02';

/** A board that has just been updated is busy for a while. */
const STATUS_MS = 90_000;

export interface BoardOptions {
  readonly disk: Disk;
  readonly house: House;
  readonly folder: string;
  readonly memoryMb: number;
}

/** The first list of a connection may come before any server has started. */
export function lists(told: CloudEvent, tool: string): boolean {
  return told.event === 'listed' && told.tools.some(({ name }) => name === tool);
}

/** Board: one card in a board of a house, switched on and off any number of times. */
export class Board implements AsyncDisposable {
  boots = 0;
  readonly disk: Disk;
  readonly #options: BoardOptions;
  #machine: Machine | undefined;
  #shell: RootShell | undefined;
  /** Of the cloud's clock, when power came. */
  #onAt = 0;

  constructor(options: BoardOptions) {
    this.#options = options;
    this.disk = options.disk;
  }

  /** The root shell of the board, which has power. */
  get shell(): RootShell {
    if (this.#shell === undefined) throw new Error('the board is off');
    return this.#shell;
  }

  get console(): string {
    return this.#machine?.console ?? '';
  }

  /** Gives power, and waits for no more than the shell. */
  async on(mac = MAC): Promise<RootShell> {
    const { disk, house, folder, memoryMb } = this.#options;
    this.boots++;
    this.#onAt = house.cloud.now();
    this.#machine = await Machine.start({
      disk,
      folder,
      memoryMb,
      mac,
      sshPort: house.sshPort,
      reachable: house.reachable,
      terminal: house.terminal.path,
    });
    this.#shell = await this.#machine.shell();
    return this.#shell;
  }

  /** Waits for the built-in tools to be listed at the cloud, and resolves with the ms since power came. */
  async ready(ms: number): Promise<number> {
    const { cloud } = this.#options.house;
    const listed = await cloud.expect(
      'tools listed at the cloud since power came',
      (told) => told.at > this.#onAt && lists(told, 'calculate'),
      ms,
    );
    return listed.at - this.#onAt;
  }

  /** Waits until systemd has no work left; throws where a unit has failed, with what it said. */
  async running(ms: number): Promise<void> {
    await this.shell.until('systemctl is-system-running | grep -qxE "running|degraded"', ms);
    const failed = await this.shell.get('systemctl --failed --plain --no-legend | cut -d" " -f1');
    if (failed.trim() === '') return;
    const units = failed.trim().split('\n');
    const told = await this.shell.get(
      `for unit in ${units.join(' ')}; do journalctl -b --no-pager -o cat -n 12 -u "$unit"; done`,
    );
    throw new Error(`failed: ${units.join(', ')}\n${told}`);
  }

  async status(): Promise<StatusDocument> {
    // Its exit code tells of what is not ready; that is in the document too. A busy board may not answer in time.
    const deadline = performance.now() + STATUS_MS;
    for (;;) {
      const { output } = await this.shell.run('aivoice status --json');
      try {
        return JSON.parse(output.slice(output.indexOf('{')));
      } catch (error) {
        if (performance.now() < deadline) continue;
        throw new Error(`no status: ${output.slice(0, 200)} … ${output.slice(-200)}`, { cause: error });
      }
    }
  }

  async cutPower(): Promise<void> {
    await this.#machine?.cutPower();
    this.#shell = this.#machine = undefined;
  }

  async off(): Promise<void> {
    await this.#machine?.powerOff();
    this.#shell = this.#machine = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cutPower();
  }
}
