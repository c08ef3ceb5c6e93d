import { connect } from 'node:net';
import { join } from 'node:path';
import { type Clock, within } from '#kernel/clock.ts';
import { isStatus, type Status } from './health.ts';

/** sun_path holds 108 bytes with its end mark: a longer one is bound elsewhere. */
const MAX_SOCKET_PATH = 107;
const ANSWER_MS = 5000;
const MAX_ANSWER = 4 * 1024 * 1024;

/** True where the control socket is where its folder is, so that it can be asked without the command line. */
export function canAsk(runtime: string): boolean {
  return Buffer.byteLength(socketOf(runtime)) <= MAX_SOCKET_PATH;
}

/**
 * The status of the running appliance from its control socket itself: a process for each look takes a second of a small
 * board's time. `undefined` means that no answer came.
 */
export async function askStatus(runtime: string, clock: Clock): Promise<Status | undefined> {
  const socket = connect(socketOf(runtime));
  const answered = new Promise<Status | undefined>((resolve) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(statusOf(text.slice(0, text.indexOf('\n'))));
      else if (text.length > MAX_ANSWER) resolve(undefined);
    });
    socket.once('error', () => resolve(undefined));
    socket.once('close', () => resolve(undefined));
  });
  socket.write('{"verb":"status"}\n');
  const status = await within(clock, ANSWER_MS, answered);
  socket.destroy();
  return status;
}

function socketOf(runtime: string): string {
  return join(runtime, 'control.sock');
}

function statusOf(line: string): Status | undefined {
  try {
    const { status } = JSON.parse(line) as { status?: unknown };
    return isStatus(status) ? status : undefined;
  } catch {
    return undefined;
  }
}
