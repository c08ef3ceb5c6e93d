import { closeSync, readdirSync, readlinkSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import * as nodePty from '@lydell/node-pty';

/** What `open` of the library gives, which its types leave out. */
interface Opened {
  readonly _master: ReadStream;
  readonly _slave: ReadStream & { readonly _handle: { readonly fd: number } };
  readonly _pty: string;
}
const { open } = nodePty as unknown as { open(options: { encoding: null }): Opened };

/** A host that reads nothing is not given more than this; a real line would drop it too. */
const MAX_WAITING = 64 << 10;

/** Pty: one pseudo-terminal, whose near end is the terminal's plug. Disposing it is pulling the cable. */
export interface Pty extends Disposable {
  /** The device that the host opens, under a name that changes with each. */
  readonly device: string;
  write(bytes: Uint8Array): void;
  /** Nothing is taken from the host any more, so that its bytes pile up in the line. */
  pause(): void;
  resume(): void;
}

/** Opens a pseudo-terminal in raw mode; what the host sends comes to `onBytes`. */
export function openPty(onBytes: (bytes: Uint8Array) => void): Pty {
  const { _master: master, _slave: slave, _pty: device } = open({ encoding: null });
  // The library opens the far end twice. Its stream would read what the host is to read: it goes. The other descriptor
  // stays, since a line without a far end is broken whenever the host closes it; so does a stream that only sets the mode.
  const held = descriptorsOf(device).find((fd) => fd !== slave._handle.fd) as number;
  slave.on('error', () => {});
  slave.destroy();
  const far = new ReadStream(held);
  far.setRawMode(true); // no echo, no line editing, also before the host opens it
  master.on('data', onBytes);
  master.on('error', () => {}); // the host is gone: the next plug is a new one
  return {
    device,
    write: (bytes) => {
      if (master.writableLength < MAX_WAITING && !master.destroyed) master.write(bytes);
    },
    pause: () => master.pause(),
    resume: () => master.resume(),
    [Symbol.dispose]: () => {
      far.destroy();
      closeSync(held);
      master.destroy();
    },
  };
}

function descriptorsOf(path: string): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => targetOf(fd) === path);
}

function targetOf(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return ''; // the descriptor that listed the folder
  }
}
