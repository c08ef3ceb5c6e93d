import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { SerialPort } from 'serialport';
import { type Clock, within } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import { errnoOf, Fault } from '#kernel/fault.ts';
import type { Ending } from '#kernel/service.ts';
import { faultOfPort } from './port-fault.ts';
import type { LinkTiming } from './timing.ts';

export interface PortOptions {
  /** The stable name: a link below /dev/serial/by-id survives what /dev/ttyUSB0 does not. */
  readonly path: string;
  readonly baud: number;
  readonly clock: Clock;
  readonly timing: LinkTiming;
}

/** What may wait to leave, in bytes: more than the longest burst of ours. Beyond it the port counts as gone. */
const MAX_WAITING = 8192;

/**
 * Port: owns one opened serial port, from open to close. Single use, since an object that is opened again sends what was
 * queued in its last life (audio notes 6). `ended` never rejects.
 */
export interface Port extends AsyncDisposable {
  /** Dropped where the port is closing or gone: nothing is queued while it is down. */
  write(bytes: Uint8Array): void;
  /** Set before anything is awaited: nothing is lost. */
  set onBytes(listener: (bytes: Uint8Array) => void);
  readonly ended: Promise<Ending>;
}

/** Opens a port for us alone. Rejects with TERMINAL_MISSING, TERMINAL_BUSY, TERMINAL_DENIED or TERMINAL_UNUSABLE. */
export async function openPort(options: PortOptions): Promise<Port> {
  const { path, baud: baudRate, clock, timing } = options;
  const device = await deviceAt(path);
  const { SerialPort } = await import('serialport');
  // Closing must not reset the board (hupcl), and two readers would each get half of the bytes (lock).
  const port = new SerialPort({ path, baudRate, hupcl: false, lock: true, autoOpen: false });
  port.on('error', () => {}); // `close` follows, or the callback of open has told it
  const opening = new Promise<Error | true>((resolve) => port.open((error) => resolve(error ?? true)));
  const opened = await within(clock, timing.openMs, opening);
  if (opened === true) {
    wakeWithPoller(port);
    return new OpenPort(port, device, options);
  }
  if (opened instanceof Error) throw faultOfPort(path, opened);
  void opening.then((late) => late === true && port.close(() => {}));
  throw new Fault('TERMINAL_UNUSABLE', `${path}: not open after ${timing.openMs} ms`);
}

/**
 * The binding calls back without letting Node run what that call has made ready, so that bytes would wait for the next
 * timer, from Node 26.4 on (serialport/bindings-cpp#239, measured here on 26.12). An immediate of ours makes Node run it.
 */
function wakeWithPoller({ port }: SerialPort): void {
  const poller = port !== undefined && 'poller' in port ? port.poller : undefined;
  for (const event of ['readable', 'writable', 'disconnect'] as const) {
    poller?.on(event, () => setImmediate(() => {}));
  }
}

/** Only a character device is opened: opening a fifo could wait for ever, and a file is no port. */
async function deviceAt(path: string): Promise<Stats> {
  const found = await stat(path).catch((error: unknown) => {
    throw faultOfPort(path, error);
  });
  if (!found.isCharacterDevice()) throw new Fault('TERMINAL_UNUSABLE', `${path}: not a serial port`);
  return found;
}

class OpenPort implements Port {
  readonly ended: Promise<Ending>;
  readonly #port: SerialPort;
  readonly #device: Stats;
  readonly #options: PortOptions;
  readonly #closed: Promise<void>;
  #end: (ending: Ending) => void = () => {};
  #isOpen = true;
  #waiting = 0;
  #takenBy: Disposable | undefined;
  #watch: Disposable;

  constructor(port: SerialPort, device: Stats, options: PortOptions) {
    this.#port = port;
    this.#device = device;
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#closed = new Promise((resolve) => {
      port.once('close', () => {
        this.#over('TERMINAL_LOST', 'the port was closed by the system');
        resolve();
      });
    });
    this.#watch = this.#watchName();
  }

  set onBytes(listener: (bytes: Uint8Array) => void) {
    this.#port.removeAllListeners('data');
    this.#port.on('data', listener);
  }

  write(bytes: Uint8Array): void {
    if (!this.#isOpen) return;
    if (this.#waiting + bytes.length > MAX_WAITING) {
      this.#over('TERMINAL_LOST', `${this.#waiting} bytes were not taken`);
      return;
    }
    this.#waiting += bytes.length;
    this.#takenBy ??= this.#deadline();
    // The callback of a port that was closed meanwhile never comes (audio notes 6).
    this.#port.write(bytes, () => {
      this.#waiting -= bytes.length;
      this.#takenBy?.[Symbol.dispose]();
      this.#takenBy = this.#isOpen && this.#waiting > 0 ? this.#deadline() : undefined;
    });
  }

  /** What was not sent yet is dropped. A close that the system does not confirm in time is left to it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#over(undefined, 'closed');
    const { clock, timing } = this.#options;
    await within(clock, timing.openMs, this.#closed);
    this.#port.removeAllListeners('data');
  }

  #deadline(): Disposable {
    const { clock, timing } = this.#options;
    return clock.timer(timing.writeMs, () =>
      this.#over('TERMINAL_LOST', `nothing was taken for ${timing.writeMs} ms`),
    );
  }

  /** The system closes a port that vanished only when it is used (field report B20): so its name is watched too. */
  #watchName(): Disposable {
    const { clock, timing, path } = this.#options;
    return clock.timer(timing.watchMs, async () => {
      const found = await stat(path).catch((error: unknown) => errnoOf(error));
      if (!this.#isOpen) return;
      if (typeof found === 'string') {
        this.#over('TERMINAL_LOST', `${path} is gone`);
        return;
      }
      const isSame = found.rdev === this.#device.rdev && found.ino === this.#device.ino;
      if (!isSame) {
        this.#over('TERMINAL_LOST', `${path} is another device now`);
        return;
      }
      this.#watch = this.#watchName();
    });
  }

  #over(code: Code | undefined, reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#watch[Symbol.dispose]();
    this.#takenBy?.[Symbol.dispose]();
    this.#end({ asked: code === undefined, reason, ...(code && { code }) });
    if (this.#port.isOpen) this.#port.close(() => {});
  }
}
