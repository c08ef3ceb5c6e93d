import { randomUUID } from 'node:crypto';
import type { Connection } from './connection.ts';
import type { Id } from './message.ts';
import { resultOf, Session } from './session.ts';

/**
 * A robot's voice session through the broker of a self-hosted cloud (cloud protocol 1.4): `initialize` with id 1, and
 * without waiting for its answer the notification and `tools/list` with id 2. Calls number from 1 again.
 */
export async function openRobot(connection: Connection, session = new Session(connection)): Promise<Session> {
  session.idOf = brokerIds();
  session.numberFrom(1);
  const hello = session.request('initialize', {
    protocolVersion: '2024-11-05',
    capabilities: { roots: { listChanged: true }, sampling: {} },
    clientInfo: { name: 'XiaozhiMCPEndpointClient', version: '1.0.0' },
  });
  session.notify('notifications/initialized', {});
  const [reply, tools] = await Promise.all([hello, session.list()]);
  const { serverInfo } = resultOf(reply, 'initialize') as { serverInfo?: { name?: string } };
  connection.onEvent({ event: 'initialized', connection: connection.number, server: `${serverInfo?.name}` });
  connection.listed(tools);
  session.numberFrom(1);
  return session;
}

/**
 * The web console's check of the tools: another client by name, which waits for `initialize`, sends `params: null` and
 * gives the whole exchange ten seconds.
 */
export async function checkAsConsole(connection: Connection): Promise<readonly string[]> {
  const session = new Session(connection);
  session.idOf = brokerIds();
  session.numberFrom(1);
  const hello = await session.request('initialize', {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: { name: 'xz-mcp-broker', version: '0.0.1' },
  });
  resultOf(hello, 'initialize');
  session.notify('notifications/initialized', null);
  const tools = await session.list(null);
  return tools.map((tool) => tool.name);
}

/** The broker rewrites ids to strings, `_n_` for numbers; falsy ones it leaves alone and cannot route back. */
function brokerIds(): (count: number) => Id {
  const uuid = randomUUID();
  return (count) => (count === 0 ? count : `${uuid}_n_${count}`);
}
