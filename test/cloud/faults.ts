import type { Connection } from './connection.ts';

/** Ends the TCP connection with a reset: no close frame, no goodbye. */
export async function reset(connection: Connection): Promise<void> {
  connection.raw.resetAndDestroy();
  await connection.closed;
}

/** Sends the head and the first bytes of a text frame of `bytes`, then resets: the appliance holds half a message. */
export async function resetInMidFrame(connection: Connection, bytes = 70_000): Promise<void> {
  const head = Buffer.alloc(10);
  head[0] = 0x81; // a final text frame (RFC 6455 5.2) …
  head[1] = 127; // … whose length stands in the next eight bytes
  head.writeBigUInt64BE(BigInt(bytes), 2);
  const body = Buffer.from('{"jsonrpc":"2.0","id":99,"method":"ping","params":{"x":"');
  await new Promise((flushed) => connection.raw.write(Buffer.concat([head, body]), flushed));
  // A reset throws away what the other side's kernel has not handed over yet: give it the half frame first.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await reset(connection);
}

/** Half-open: the cloud reads no more and answers nothing, not even a ping, while the kernel keeps the line up. */
export function freeze(connection: Connection): void {
  connection.frozen = true;
  connection.raw.pause();
}

/** Reads on, and then sees what the appliance has done meanwhile. */
export function thaw(connection: Connection): void {
  connection.frozen = false;
  connection.raw.resume();
}
