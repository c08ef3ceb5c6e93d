import { setTimeout as sleep } from 'node:timers/promises';
import { startCloud } from '../../cloud/cloud.ts';
import { fixture, startAppliance } from '../../scenario/appliance.ts';
import { memoryKb } from './process-cost.ts';

const CALLS = 200;
const SETTLE_MS = 5000;
/** Looking costs the appliance time as well. */
const LOOK_MS = 50;

export interface FloodNumbers {
  readonly beforeMb: number;
  readonly peakMb: number;
  /** How long each refused call took to be refused, in ms. */
  readonly refusals: readonly number[];
}

/** Many slow calls at once: more than may run. */
export async function measureFlood(): Promise<FloodNumbers> {
  await using cloud = await startCloud();
  const servers = { tools: { ...fixture('tools.mjs'), async: 'auto' } };
  await using appliance = startAppliance({ cloud, servers });
  await cloud.ready();
  await cloud.call('echo', { text: '' });
  await sleep(SETTLE_MS);
  const before = memoryKb(appliance.pid);
  let peak = before;
  const looks = setInterval(() => {
    peak = Math.max(peak, memoryKb(appliance.pid));
  }, LOOK_MS);
  const refusals: number[] = [];
  const one = async () => {
    const asked = performance.now();
    const { error } = await cloud.request('tools/call', { name: 'hold', arguments: { ms: 10_000 } });
    if (error?.message.includes('TASK_FULL')) refusals.push(performance.now() - asked);
  };
  await Promise.all(Array.from({ length: CALLS }, one));
  await sleep(SETTLE_MS);
  clearInterval(looks);
  return { beforeMb: before / 1024, peakMb: peak / 1024, refusals };
}
