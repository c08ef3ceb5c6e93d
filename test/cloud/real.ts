import type { Connection } from './connection.ts';
import { resultOf } from './session.ts';

/** The real cloud's times in ms, as observed (cloud protocol 1.3, 1.8). */
export interface RealTimes {
  /** Between two JSON-RPC pings. Default 60,000. */
  readonly pingMs: number;
  /** After a ping without an answer the cloud closes. Default 60,000. */
  readonly pingLostMs: number;
  /** An unanswered `initialize` or `tools/list` ends in 4004. Default 10,000. */
  readonly handshakeMs: number;
}

/**
 * Speaks first, as the real cloud does: `initialize` with id 0, then `notifications/initialized` and `tools/list` in
 * the same millisecond, then a ping every `pingMs`. Whatever goes wrong in the handshake ends in 4004.
 */
export async function greetAsRealCloud(connection: Connection, times: RealTimes): Promise<void> {
  const { session } = connection;
  session.serialNumber = null;
  try {
    const hello = await session.request(
      'initialize',
      {
        protocolVersion: '2024-11-05',
        capabilities: { sampling: {}, roots: { listChanged: false } },
        clientInfo: { name: 'xz-mcp-broker', version: '0.0.1' },
      },
      times.handshakeMs,
    );
    const { serverInfo } = resultOf(hello, 'initialize') as { serverInfo?: { name?: string } };
    connection.onEvent({
      event: 'initialized',
      connection: connection.number,
      server: `${serverInfo?.name}`,
    });
    session.notify('notifications/initialized');
    connection.listed(await session.list({}, times.handshakeMs));
  } catch {
    if (connection.open) await connection.close(4004, 'Internal server error');
    return;
  }
  await keepPinging(connection, times);
}

async function keepPinging(connection: Connection, { pingMs, pingLostMs }: RealTimes): Promise<void> {
  for (;;) {
    const over = await Promise.race([connection.closed, pause(pingMs)]);
    if (over !== undefined) return;
    try {
      await connection.session.request('ping', {}, pingLostMs);
    } catch {
      // Unanswered: closed as a line that is lost. Where the line has ended meanwhile, this does nothing.
      await connection.close(4004, 'Internal server error');
    }
  }
}

/** An unreferenced timer: a cloud that is only waiting for its next ping must not keep a test alive. */
function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref());
}
