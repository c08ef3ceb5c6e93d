import { setTimeout as sleep } from 'node:timers/promises';
import { type Cloud, startCloud } from '../../cloud/cloud.ts';
import type { RpcError } from '../../cloud/message.ts';
import { fixture, startAppliance } from '../../scenario/appliance.ts';
import { startOfficial } from '../../scenario/remote/official.ts';
import { p95, type Spread, spread } from './spread.ts';

const CALLS = 500;
/** Calls that are not counted: what its going or coming itself costs is not what is asked. */
const SETTLING = 300;
const LATE_MS = 10_000;
const LOOK_MS = 20;
/** It is to come back soon; that it is dialled the more often makes it no easier for the others. */
const SETTINGS = `
[restart]
first_ms = 20
max_ms = 200
`;

/** In ms. */
export interface RemoteDownNumbers {
  readonly remote: readonly number[];
  readonly localUp: readonly number[];
  readonly localDown: readonly number[];
  /** p95 of the local tool with the server down to that with it up, of each round. */
  readonly ratio: Spread;
}

/** A remote server is taken away and comes back, round after round, beside a local one. */
export async function measureRemoteDown(rounds: number): Promise<RemoteDownNumbers> {
  await using far = await startOfficial('http');
  await using cloud = await startCloud();
  const servers = { near: fixture('tools.mjs', 'near_'), far: { type: 'http', url: far.url } };
  await using _appliance = startAppliance({ cloud, settings: SETTINGS, servers });
  await untilRemote(cloud, (error) => error === undefined);
  const remote: number[] = [];
  const localUp: number[] = [];
  const localDown: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await timed(cloud, 'near_echo', SETTLING);
    const up = await timed(cloud, 'near_echo', CALLS);
    await far.web.down();
    await untilRemote(cloud, (error) => /_DOWN/.test(JSON.stringify(error ?? '')));
    await timed(cloud, 'near_echo', SETTLING);
    const down = await timed(cloud, 'near_echo', CALLS);
    remote.push(...(await timed(cloud, 'echo', CALLS, true)));
    localUp.push(...up);
    localDown.push(...down);
    ratios.push(p95(down) / p95(up));
    await far.web.up();
    far.forget();
    await untilRemote(cloud, (error) => error === undefined);
  }
  return { remote, localUp, localDown, ratio: spread(ratios) };
}

/** Asks the server itself: one that fell so often is not called ready soon. */
async function untilRemote(cloud: Cloud, isMeant: (error: RpcError | undefined) => boolean): Promise<void> {
  for (const late = performance.now() + LATE_MS; performance.now() < late; await sleep(LOOK_MS)) {
    const { error } = await cloud.request('tools/call', { name: 'echo', arguments: { text: '' } });
    if (isMeant(error)) return;
  }
  throw new Error('the remote server neither went nor came');
}

async function timed(cloud: Cloud, name: string, calls: number, isDown = false): Promise<number[]> {
  const took: number[] = [];
  for (let call = 0; call < calls; call++) {
    const asked = performance.now();
    const { error } = await cloud.request('tools/call', { name, arguments: { text: 'quick' } });
    took.push(performance.now() - asked);
    if ((error !== undefined) !== isDown) throw new Error(`${name}: ${error?.message ?? 'it is not down'}`);
  }
  return took;
}
