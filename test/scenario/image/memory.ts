import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../image/reach.ts';
import { MINUTE, type Scene } from './scene.ts';

/** Long enough that what the start needed is given back. */
const IDLE_MS = 20_000;

/** Memory of the whole board and of the appliance's own group, idle. */
export async function memory({ report, board }: Scene): Promise<void> {
  await report.step('memory, idle, is within what was promised', { ms: 2 * MINUTE }, async () => {
    await sleep(IDLE_MS);
    const told = await board.shell.get(
      `awk '/MemTotal|MemAvailable/ {print $2}' /proc/meminfo; cd /sys/fs/cgroup/system.slice/aivoice.service && cat memory.current && awk '/^(anon|file) / {print $2}' memory.stat && cat memory.peak`,
    );
    const [total = 0, available = 0, group = 0, anon = 0, file = 0, peak = 0] = told
      .trim()
      .split('\n')
      .map(Number);
    const mb = (bytes: number) => Math.round(bytes / 2 ** 20);
    const numbers = { memoryUsedMb: mb((total - available) * 1024), groupMb: mb(group) };
    report.number('memoryTotalMb', mb(total * 1024));
    for (const [name, value] of Object.entries(numbers)) report.number(name, value);
    report.number('groupAnonMb', mb(anon));
    report.number('groupFileMb', mb(file));
    report.number('groupPeakMb', mb(peak));
    within(numbers);
    return undefined;
  });
}
