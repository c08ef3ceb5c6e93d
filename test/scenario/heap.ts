import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Appliance } from './appliance.ts';

/** Given to an appliance, lets `usedMemory` look into it; its children do not get it. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** Bytes that the appliance process holds on its heap and beside it, after a full collection. */
export async function usedMemory(appliance: Appliance): Promise<number> {
  const { text } = await appliance.logged('the inspector', (line) => line.text.includes('ws://127.0.0.1:'));
  const inspector = new WebSocket(/ws:\S+/.exec(text)?.[0] ?? '');
  await once(inspector, 'open');
  try {
    await ask(inspector, 'HeapProfiler.collectGarbage');
    const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
    const { result } = await ask(inspector, 'Runtime.evaluate', { expression });
    return result.value;
  } finally {
    inspector.terminate();
  }
}

async function ask(
  inspector: WebSocket,
  method: string,
  params = {},
): Promise<{ result: { value: number } }> {
  inspector.send(JSON.stringify({ id: 1, method, params }));
  const [data] = await once(inspector, 'message');
  return JSON.parse(String(data)).result;
}
