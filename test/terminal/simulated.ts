import type { Clock } from '../../device/kernel/clock.ts';
import { createLog } from '../../device/kernel/log.ts';
import type { Ending } from '../../device/kernel/service.ts';
import { TerminalBox } from '../../device/terminal/box.ts';
import type { Port } from '../../device/terminal/port.ts';
import { TerminalRun } from '../../device/terminal/run.ts';
import type { TerminalEvent } from '../../device/terminal/terminal.ts';
import { TIMING } from '../../device/terminal/timing.ts';
import type { FakeClock } from '../unit/fake-clock.ts';
import { Firmware, type Told } from './firmware.ts';
import { damager, type LineFaults } from './line-faults.ts';

/** Bytes need so long over the simulated line, in ms, whatever their number. */
const LINE_MS = 1;

export interface SimulatedOptions {
  readonly clock: FakeClock;
  readonly faults?: LineFaults;
  readonly caps?: readonly string[];
  readonly fw?: string;
  readonly proto?: number;
  /** The appliance remembers that the switch was on. */
  readonly muted?: boolean;
}

/** A terminal and the appliance's side of the link, both real, over a line that is neither: time is a FakeClock. */
export interface Simulated {
  readonly box: TerminalBox;
  readonly firmware: Firmware;
  readonly told: Told[];
  readonly events: TerminalEvent[];
  /** The present run; another one after `plug`. */
  readonly run: TerminalRun;
  /** False: bytes vanish in both directions. */
  connected: boolean;
  /** Bytes that reach the appliance as if the terminal had sent them. */
  fromTerminal(bytes: Uint8Array): void;
  /** The appliance's clock jumps, as for a program that was held up: nothing was read meanwhile. */
  stall(ms: number): void;
  /** Ends the run that is there and begins the next, as the supervisor does. */
  plug(): Promise<void>;
}

export function simulate({ clock, faults, caps, fw, proto, muted = false }: SimulatedOptions): Simulated {
  const log = createLog({ sink: () => {}, wall: () => clock.wall() });
  const panel = { light: 'ready', brightness: 40, volume: 60, mute: false } as const;
  const box = new TerminalBox({ clock, log, random: () => 0.5, panel, muted });
  const toHost = faults ? damager(faults) : undefined;
  const toTerminal = faults ? damager({ ...faults, seed: faults.seed + 1 }) : undefined;
  const told: Told[] = [];
  const events: TerminalEvent[] = [];
  let listener: (bytes: Uint8Array) => void = () => {};
  const firmware = new Firmware({
    clock,
    caps: caps ?? ['led', 'volume', 'mute'],
    model: 'simulated',
    fw: fw ?? '1.0',
    proto: proto ?? 1,
    ackMs: TIMING.ackMs,
    hostLostMs: 6000,
    onTold: (one) => told.push(one),
    onGone: () => {},
    write: (bytes) => {
      const sent = toHost?.(bytes) ?? bytes;
      clock.timer(LINE_MS, () => simulated.connected && listener(sent));
    },
  });
  const openPort = (): Port => {
    let end: (ending: Ending) => void = () => {};
    let isOpen = true;
    const ended = new Promise<Ending>((resolve) => {
      end = resolve;
    });
    return {
      ended,
      set onBytes(next: (bytes: Uint8Array) => void) {
        listener = (bytes) => isOpen && next(bytes);
      },
      write: (bytes) => {
        const sent = toTerminal?.(bytes) ?? bytes;
        clock.timer(LINE_MS, () => simulated.connected && firmware.receive(sent));
      },
      async [Symbol.asyncDispose]() {
        isOpen = false;
        end({ asked: true, reason: 'closed' });
      },
    };
  };
  let stalledMs = 0;
  const hostClock: Clock = {
    now: () => clock.now() + stalledMs,
    wall: () => clock.wall() + stalledMs,
    timer: (ms, wake) => clock.timer(ms, wake),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
  const begin = () =>
    new TerminalRun(openPort(), {
      terminal: box,
      clock: hostClock,
      log,
      timing: TIMING,
      buttons: { debounceMs: 30, doubleMs: 250, longMs: 1000 },
    });
  let run: TerminalRun | undefined;
  const simulated: Simulated = {
    box,
    firmware,
    told,
    events,
    connected: true,
    get run() {
      run ??= begin();
      return run;
    },
    fromTerminal: (bytes) => listener(bytes),
    stall: (ms) => {
      stalledMs += ms;
    },
    async plug() {
      await run?.[Symbol.asyncDispose]();
      run = begin();
    },
  };
  box.onEvent((event) => events.push(event));
  return simulated;
}
