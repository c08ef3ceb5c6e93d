import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../../device/kernel/fault.ts';
import { FakeService, stage } from './fake-service.ts';

/** A small generator with a seed, so that a failure can be had again. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % sides;
  };
}

const SEEDS = [1, 7, 42, 1004, 328].flatMap((seed) => [3000, 250].map((stopMs) => ({ seed, stopMs })));

for (const { seed, stopMs } of SEEDS) {
  test(`whatever happens in whatever order, a service never has two runs (seed ${seed}, stop late after ${stopMs} ms)`, async () => {
    const roll = dice(seed);
    const scene = await stage(() => []);
    const { clock, supervisor } = scene;
    const services: FakeService[] = [];
    let live = 0;
    let most = 0;
    const add = () => {
      if (supervisor.parts().length > 0) return;
      const service = new FakeService(clock, 'files', { startMs: 1000, stopMs });
      service.plan = async (run, signal) => {
        await clock.sleep(roll(4) * 400, roll(2) === 0 ? signal : undefined);
        if (roll(4) === 0) throw new Fault('SERVER_REFUSED', 'refused');
        live++;
        most = Math.max(most, live);
        const dispose = run[Symbol.asyncDispose].bind(run);
        let disposing: Promise<void> | undefined;
        run[Symbol.asyncDispose] = () => {
          disposing ??= clock.sleep(roll(3) * 300).then(async () => {
            live--;
            await dispose();
          });
          return disposing;
        };
        return run;
      };
      services.push(service);
      supervisor.add(service);
    };
    const pending: Promise<unknown>[] = [];
    for (let round = 0; round < 300; round++) {
      const action = roll(6);
      if (action === 0) add();
      if (action === 1) pending.push(supervisor.remove('files'));
      if (action === 2) pending.push(supervisor.restart('files'));
      if (action === 3) services.at(-1)?.runs.at(-1)?.die();
      await clock.advance(roll(3) === 0 ? roll(2000) : 0);
    }
    const stopping = scene.stop();
    await Promise.all([stopping, ...pending]);
    await clock.advance(3000); // what was left behind may go on for so long
    assert.equal(most, 1, 'runs at one time');
    assert.equal(live, 0, 'nothing is left running');
    assert.equal(clock.armed, 0, 'nor waiting');
  });
}
