import { type Cloud, startCloud } from '../../cloud/cloud.ts';
import { fixture, startAppliance } from '../../scenario/appliance.ts';
import { type Spread, spread } from './spread.ts';

const CALLS = 500;

export interface WrappingNumbers {
  /** Median of the wrapped calls to that of the others, of each round. */
  readonly ratio: Spread;
  /** Medians of the rounds, in ms. */
  readonly wrapped: Spread;
  readonly unwrapped: Spread;
}

/** The same fast tool of two servers of one appliance, one of which can give out handles. */
export async function measureWrapping(rounds: number): Promise<WrappingNumbers> {
  await using cloud = await startCloud();
  const servers = {
    off: fixture('tools.mjs', 'off_'),
    auto: { ...fixture('tools.mjs', 'auto_'), async: 'auto' },
  };
  await using _appliance = startAppliance({ cloud, servers });
  while ((await cloud.request('tools/call', { name: 'auto_count', arguments: {} })).error)
    await cloud.ready();
  await oneRound(cloud);
  const found: { wrapped: number; unwrapped: number }[] = [];
  for (let round = 0; round < rounds; round++) found.push(await oneRound(cloud));
  return {
    ratio: spread(found.map(({ wrapped, unwrapped }) => wrapped / unwrapped)),
    wrapped: spread(found.map(({ wrapped }) => wrapped)),
    unwrapped: spread(found.map(({ unwrapped }) => unwrapped)),
  };
}

/** Turn about, so that whatever else the machine does meets both. */
async function oneRound(cloud: Cloud): Promise<{ wrapped: number; unwrapped: number }> {
  const took: Record<'off' | 'auto', number[]> = { off: [], auto: [] };
  for (let call = 0; call < CALLS; call++) {
    for (const server of call % 2 === 0 ? (['off', 'auto'] as const) : (['auto', 'off'] as const)) {
      const asked = performance.now();
      await cloud.call(`${server}_echo`, { text: 'quick' });
      took[server].push(performance.now() - asked);
    }
  }
  return { wrapped: spread(took.auto).median, unwrapped: spread(took.off).median };
}
