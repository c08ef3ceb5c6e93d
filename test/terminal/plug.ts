import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../device/kernel/clock.ts';
import { Waiters } from '../cloud/waiters.ts';
import { Firmware, type Told } from './firmware.ts';
import { damager, type LineFaults } from './line-faults.ts';
import { openPty, type Pty } from './pty.ts';

export interface PlugOptions {
  readonly clock?: Clock;
  /** What HELLO_ACK lists. `gestures`: the terminal reports click, double and long itself (`report`). */
  readonly caps?: readonly string[];
  readonly model?: string;
  readonly fw?: string;
  /** The version of the link that it answers with. Default 1. */
  readonly proto?: number;
  /** First wait for an acknowledgement in ms, and time without a frame after which the host counts as lost. */
  readonly ackMs?: number;
  readonly hostLostMs?: number;
  /** False: not plugged in yet. Default true. */
  readonly plugged?: boolean;
}

/** Not what a terminal says after power on, but as little of a frame as that. */
const BOOT_TEXT = Buffer.from(
  '\r\nboot: rst 0x1 (power on), flash 80 MHz\xff\xfe\x80\r\nload 0x3fff0030\r\n',
  'latin1',
);

/**
 * The bench terminal: the firmware's side of the link over a real pseudo-terminal, behind a stable name.
 *
 *     await using terminal = await plugTerminal();
 *     ... the appliance opens terminal.path ...
 *     await terminal.expect('led', ({ mode }) => mode === 'steady');
 *     terminal.press(); terminal.release();
 *
 * Whatever a hand does returns false where the event was dropped, as the protocol has it: nobody is linked.
 */
export async function plugTerminal(options: PlugOptions = {}): Promise<BenchTerminal> {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-terminal-'));
  const terminal = new BenchTerminal(join(folder, 'usb-bench-terminal'), folder, options);
  if (options.plugged ?? true) terminal.replug();
  return terminal;
}

export class BenchTerminal implements AsyncDisposable {
  /** The stable name: a link to whatever device the present plug has. */
  readonly path: string;
  readonly #folder: string;
  readonly #firmware: Firmware;
  readonly #told = new Waiters<Told>();
  #pty: Pty | undefined;
  #frozen = false;
  #toHost: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes;
  #fromHost: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes;
  #onGone: (() => void)[] = [];

  constructor(path: string, folder: string, options: PlugOptions) {
    this.path = path;
    this.#folder = folder;
    this.#firmware = new Firmware({
      clock: options.clock ?? systemClock,
      caps: options.caps ?? ['led', 'volume', 'mute'],
      model: options.model ?? 'bench',
      fw: options.fw ?? '1.0',
      proto: options.proto ?? 1,
      ackMs: options.ackMs ?? 100,
      hostLostMs: options.hostLostMs ?? 6000,
      write: (bytes) => {
        if (!this.#frozen) this.#pty?.write(this.#toHost(bytes));
      },
      onTold: (told) => this.#told.add(told),
      onGone: () => {
        for (const look of this.#onGone.splice(0)) look();
      },
    });
  }

  /** What the host has told so far, in order. */
  get record(): readonly Told[] {
    return this.#told.record;
  }

  /** The host has greeted this terminal and spoken since. */
  get linked(): boolean {
    return this.#firmware.linked;
  }

  /** The first telling of `what` that fits, already recorded or still to come. */
  expect(
    what: Told['what'],
    matches: (payload: Told['payload']) => boolean = () => true,
    ms = 5000,
  ): Promise<Told> {
    return this.#told.expect(what, (told) => told.what === what && matches(told.payload), ms);
  }

  /** The same, among those that come after this call. */
  next(
    what: Told['what'],
    matches: (payload: Told['payload']) => boolean = () => true,
    ms = 5000,
  ): Promise<Told> {
    return this.#told.next(what, (told) => told.what === what && matches(told.payload), ms);
  }

  press(id = 'main'): boolean {
    return this.report('press', id);
  }

  release(id = 'main'): boolean {
    return this.report('release', id);
  }

  /** Down and up again: for those who do not care how long. */
  click(id = 'main'): boolean {
    return this.press(id) && this.release(id);
  }

  /** Any action of a button, `click`, `double` and `long` too. */
  report(action: string, id = 'main'): boolean {
    return this.tell(1, { id, action });
  }

  /** Moves the hardware switch, whether anybody hears of it or not. */
  mute(on: boolean): boolean {
    this.#firmware.muted = on;
    return this.tell(2, { on, source: 'hw' });
  }

  wake(word = 'hey bench', score = 0.9): boolean {
    return this.tell(3, { word, score });
  }

  encoder(delta: number): boolean {
    return this.tell(4, { delta });
  }

  /** Any event, also one that no version knows. */
  tell(type: number, payload: Readonly<Record<string, unknown>>): boolean {
    return !this.#frozen && this.#firmware.tell({ type, payload });
  }

  /** Resolves when the host has acknowledged every event so far, or power was lost. */
  async settled(): Promise<void> {
    while (this.#firmware.pending > 0) await new Promise<void>((resolve) => this.#onGone.push(resolve));
  }

  /** Pulls the cable, which is where the power comes from: the device and its stable name are gone. */
  unplug(): void {
    rmSync(this.path, { force: true });
    this.#firmware.off();
    this.#pty?.[Symbol.dispose]();
    this.#pty = undefined;
  }

  /** Plugs it in again: another device behind the same name, and a terminal that boots. */
  replug(): void {
    this.unplug();
    this.#pty = openPty((bytes) => {
      this.#firmware.receive(this.#fromHost(bytes));
    });
    if (this.#frozen) this.#pty.pause();
    symlinkSync(this.#pty.device, this.path);
    this.#firmware.boot();
  }

  /** Power on the board blinks while the line stays: half of a frame, boot messages, then a new boot. */
  reboot(): void {
    this.noise(Buffer.of(12, 1, 1, 7, 1));
    this.#firmware.off();
    this.noise(BOOT_TEXT);
    this.#firmware.boot();
  }

  /** The line stays open, but nothing is read or said. What the host says meanwhile is read after `thaw`. */
  freeze(): void {
    this.#frozen = true;
    this.#pty?.pause();
  }

  thaw(): void {
    this.#frozen = false;
    this.#pty?.resume();
  }

  /** Bytes to the host that are no frame. */
  noise(bytes: Uint8Array): void {
    this.#pty?.write(bytes);
  }

  /** Damages bytes in both directions from now on; without an argument the line is good again. */
  faults(faults?: LineFaults): void {
    this.#toHost = faults ? damager(faults) : (bytes) => bytes;
    this.#fromHost = faults ? damager({ ...faults, seed: faults.seed + 1 }) : (bytes) => bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.unplug();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
