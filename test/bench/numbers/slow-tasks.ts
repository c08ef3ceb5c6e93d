import { type Cloud, startCloud } from '../../cloud/cloud.ts';
import { textOf } from '../../cloud/message.ts';
import { fixture, startAppliance } from '../../scenario/appliance.ts';

const WAIT_MS = 1000;
const WORK_MS = 10_000;
const POLL_MS = 5000;
const AT_ONCE = 8;

/** In ms, one of each for every call. */
export interface SlowTaskNumbers {
  /** From the end of the wait to the handle. */
  readonly handle: number[];
  /** From the end of the work to the result of a question that waits, to the notice, and to what is read upon it. */
  readonly polled: number[];
  readonly updated: number[];
  readonly read: number[];
}

/** Calls a tool of 10 s, eight at a time, and gets each result in every way there is. */
export async function measureSlowTasks(rounds: number): Promise<SlowTaskNumbers> {
  await using cloud = await startCloud();
  const server = { ...fixture('timed.mjs'), async: 'auto', asyncWaitMs: WAIT_MS };
  await using _appliance = startAppliance({ cloud, servers: { timed: server } });
  await cloud.ready();
  await cloud.call('work', { ms: 0 });
  const numbers: SlowTaskNumbers = { handle: [], polled: [], updated: [], read: [] };
  for (let round = 0; round < rounds; round++) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => oneTask(cloud, numbers)));
  }
  return numbers;
}

async function oneTask(cloud: Cloud, numbers: SlowTaskNumbers): Promise<void> {
  const line = await cloud.ready();
  const asked = sharedNow();
  const { structuredContent } = await cloud.call('work', { ms: WORK_MS });
  numbers.handle.push(sharedNow() - asked - WAIT_MS);
  const taskId = String(structuredContent?.taskId);
  const uri = `task://${taskId}`;
  await cloud.request('resources/subscribe', { uri });
  const notice = line.expect(
    `a notice of ${uri}`,
    ({ message }) =>
      message?.method === 'notifications/resources/updated' &&
      (message.params as { uri?: string }).uri === uri,
    WORK_MS * 2,
  );
  const reading = notice.then(async () => {
    const updated = sharedNow();
    const { result } = await cloud.request('resources/read', { uri });
    const read = sharedNow();
    const { contents } = result as { contents: [{ text: string }] };
    return { updated, read, status: JSON.parse(contents[0].text).status as string };
  });
  const polled = await poll(cloud, taskId);
  const { updated, read, status } = await reading;
  if (status !== 'completed') throw new Error(`the notice of ${uri} came while it was ${status}`);
  numbers.polled.push(polled.at - polled.ended);
  numbers.updated.push(updated - polled.ended);
  numbers.read.push(read - polled.ended);
}

async function poll(cloud: Cloud, taskId: string): Promise<{ at: number; ended: number }> {
  for (let left = (WORK_MS * 2) / POLL_MS; left > 0; left--) {
    const result = await cloud.call('async_get_task_result', { taskId, wait_ms: POLL_MS });
    const ended = Number(textOf(result));
    if (Number.isFinite(ended)) return { at: sharedNow(), ended };
  }
  throw new Error(`${taskId} did not end`);
}

/** The clock by which the tool tells its end. */
function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
