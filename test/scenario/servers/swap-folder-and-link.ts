/** A thread that puts a folder and a link to /etc in each other's place until it is told that it is enough. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

const folder = join(workerData, 'root', 'a');
const link = join(workerData, 'link');
const aside = join(workerData, 'aside');
let swaps = 0;
let enough = false;
parentPort?.once('message', () => {
  enough = true;
});

function swap(): void {
  for (let round = 0; round < 50; round += 1) {
    renameSync(folder, aside);
    renameSync(link, folder);
    renameSync(folder, link);
    renameSync(aside, folder);
    swaps += 1;
  }
  if (enough && swaps >= 1000) parentPort?.postMessage(swaps);
  else setImmediate(swap);
}

swap();
