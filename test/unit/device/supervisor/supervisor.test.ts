import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../../device/kernel/fault.ts';
import { FakeService, POLICY, stage } from './fake-service.ts';

test('services start in the declared order: an essential one is awaited, a slow other one holds nobody up', async () => {
  let release = () => {};
  const services: FakeService[] = [];
  await using scene = await stage((clock) => {
    const console = new FakeService(clock, 'console', { kind: 'console', essential: true });
    console.plan = (run) =>
      new Promise((resolve) => {
        release = () => resolve(run);
      });
    const slow = new FakeService(clock, 'slow');
    slow.plan = () => new Promise(() => {});
    services.push(console, slow, new FakeService(clock, 'quick'));
    return services;
  });
  const [, slow, quick] = services;
  assert.deepEqual([slow!.runs.length, quick!.runs.length], [0, 0], 'nothing before the essential one');
  release();
  await scene.clock.settle();
  assert.deepEqual(
    scene.supervisor.parts().map((part) => `${part.name} ${part.state}`),
    ['console ready', 'slow starting', 'quick ready'],
  );
});

test('an essential service that is not ready in time no longer holds up the others', async () => {
  let other!: FakeService;
  await using scene = await stage((clock) => {
    const hanging = new FakeService(clock, 'hanging', { essential: true, startMs: 5000 });
    hanging.plan = (_run, signal) => new Promise((_, reject) => signal.addEventListener('abort', reject));
    other = new FakeService(clock, 'other');
    return [hanging, other];
  });
  await scene.clock.advance(4999);
  assert.equal(other.runs.length, 0);
  await scene.clock.advance(1);
  assert.equal(other.runs.length, 1);
});

test('everything stops in reverse, and neighbours of one kind stop together', async () => {
  const stopped: string[] = [];
  const scene = await stage((clock) =>
    (['console', 'server', 'server', 'endpoint'] as const).map((kind, n) => {
      const service = new FakeService(clock, `${kind}${n}`, { kind });
      // Stopping begins when it is asked for, not when the run is made.
      service.plan = async (run) => {
        const dispose = run[Symbol.asyncDispose].bind(run);
        run[Symbol.asyncDispose] = async () => {
          stopped.push(`${service.name} at ${clock.now()}`);
          await clock.sleep(kind === 'server' ? 900 : 100);
          await dispose();
        };
        return run;
      };
      return service;
    }),
  );
  assert.deepEqual(await scene.stop(), {});
  assert.deepEqual(stopped, ['endpoint3 at 0', 'server1 at 100', 'server2 at 100', 'console0 at 1000']);
  assert.ok(scene.supervisor.parts().every((part) => part.state === 'stopped'));
  assert.equal(scene.clock.armed, 0);
});

test('a run that does not stop is left after 3 s', async () => {
  const scene = await stage((clock) => {
    const stuck = new FakeService(clock, 'stuck');
    stuck.plan = async (run) => Object.assign(run, { stopping: new Promise(() => {}) });
    return [stuck];
  });
  await scene.stop();
  assert.equal(scene.clock.now(), 3000);
  assert.ok(scene.lines.some((line) => line.event === 'stop_late'));
});

test('a removal whose run stops late resolves all the same, and the next one of its name waits on', async () => {
  let release = () => {};
  await using scene = await stage((clock) => {
    const old = new FakeService(clock, 'files');
    old.plan = async (run) =>
      Object.assign(run, {
        stopping: new Promise<void>((resolve) => {
          release = resolve;
        }),
      });
    return [old];
  });
  const removing = scene.supervisor.remove('files');
  const next = new FakeService(scene.clock, 'files');
  scene.supervisor.add(next);
  await scene.clock.advance(3000);
  await removing;
  await scene.clock.advance(60_000);
  assert.equal(next.runs.length, 0);
  release();
  await scene.clock.settle();
  assert.equal(next.runs.length, 1);
});

test('an appliance that ends does not wait for what a service of the same name left behind', async () => {
  const scene = await stage((clock) => {
    const old = new FakeService(clock, 'files');
    old.plan = async (run) => Object.assign(run, { stopping: new Promise(() => {}) });
    return [old];
  });
  const removing = scene.supervisor.remove('files');
  scene.supervisor.add(new FakeService(scene.clock, 'files'));
  await scene.clock.advance(3000);
  await removing;
  assert.deepEqual(await scene.stop(), {});
  assert.ok(scene.clock.now() <= 4000, 'no more than the round of the stop itself');
});

test('who waits for a start that never begins is told when the service is stopped', async () => {
  let slow!: FakeService;
  const scene = await stage((clock) => {
    const console = new FakeService(clock, 'console', { kind: 'console', essential: true });
    console.plan = () => new Promise(() => {});
    slow = new FakeService(clock, 'slow');
    return [console, slow];
  });
  const settled = scene.supervisor.settled('slow');
  await scene.supervisor.remove('slow');
  await settled;
  assert.equal(slow.runs.length, 0);
  await scene.stop();
});

test('losing an essential service stops everything and says why', async () => {
  let console!: FakeService;
  let other!: FakeService;
  const scene = await stage((clock) => {
    console = new FakeService(clock, 'console', { kind: 'console', essential: true });
    console.plan = async (run) => {
      setImmediate(() => run.die('exited 3'));
      return run;
    };
    other = new FakeService(clock, 'other');
    return [console, other];
  });
  await scene.clock.advance(60_000);
  const { fault } = await scene.outcome;
  assert.ok(fault instanceof Fault && fault.code === 'PART_FAILING');
  assert.equal(fault.message, 'console ended more than 5 times in 60 s, last: exited 3');
  assert.equal(other.run.disposals, 1);
  assert.equal(console.runs.length, POLICY.maxRestarts + 1);
  assert.equal(scene.clock.armed, 0);
});

test('a second appliance ends at once with its own code', async () => {
  const scene = await stage((clock) => {
    const console = new FakeService(clock, 'console', { kind: 'console', essential: true });
    console.plan = async () => {
      throw new Fault('ALREADY_RUNNING', 'another appliance answers');
    };
    return [console];
  });
  const { fault } = await scene.outcome;
  assert.ok(fault instanceof Fault && fault.code === 'ALREADY_RUNNING');
});

test('a service added while running starts at once, and a removed one never starts again', async () => {
  await using scene = await stage((clock) => [new FakeService(clock, 'endpoint', { kind: 'endpoint' })]);
  const added = new FakeService(scene.clock, 'added');
  scene.supervisor.add(added);
  await scene.clock.settle();
  assert.equal(added.runs.length, 1);
  added.run.die();
  await scene.clock.settle();
  assert.equal(added.runs.length, 2, 'replaced at once');
  added.run.die();
  await scene.clock.settle();
  await scene.supervisor.remove('added');
  await scene.clock.advance(600_000);
  assert.equal(added.runs.length, 2);
  assert.deepEqual(
    scene.supervisor.parts().map((part) => part.name),
    ['endpoint'],
  );
});

test('a service may be replaced by one of its name: the new one waits until the old one is gone', async () => {
  await using scene = await stage((clock) => [new FakeService(clock, 'files')]);
  const replaced = new FakeService(scene.clock, 'files');
  replaced.plan = async (run) => Object.assign(run, { stopping: scene.clock.sleep(1000) });
  await scene.supervisor.remove('files');
  scene.supervisor.add(replaced);
  await scene.clock.settle();
  const removing = scene.supervisor.remove('files');
  const next = new FakeService(scene.clock, 'files');
  scene.supervisor.add(next);
  await scene.clock.advance(999);
  assert.equal(next.runs.length, 0);
  await scene.clock.advance(1);
  await removing;
  assert.equal(next.runs.length, 1);
});

test('one loop looks at every part and only then says that it lives', async () => {
  const said: string[] = [];
  const watcher = {
    ready: () => said.push('ready'),
    stopping: () => said.push('stopping'),
    alive: (status: string) => said.push(status),
  };
  let files!: FakeService;
  const scene = await stage(
    (clock) => {
      files = new FakeService(clock, 'files', { essential: true });
      return [files];
    },
    { watcher },
  );
  files.run.health = () => ({ state: 'degraded', code: 'SERVER_NO_ANSWER' });
  assert.deepEqual(said, ['ready', 'ready'], 'that it is ready, and the status of the first look');
  await scene.clock.advance(2000);
  const status = 'failed, files degraded SERVER_NO_ANSWER';
  assert.deepEqual(said.slice(2), [status, status]);
  await scene.stop();
  assert.equal(said[4], 'stopping');
});

test('restarting all of it leaves the console alone, which carries the request', async () => {
  const services: FakeService[] = [];
  await using scene = await stage((clock) => {
    services.push(new FakeService(clock, 'console', { kind: 'console' }), new FakeService(clock, 'files'));
    return services;
  });
  assert.equal(await scene.supervisor.restart(), true);
  assert.equal(await scene.supervisor.restart('files'), true);
  assert.equal(await scene.supervisor.restart('fils'), false);
  assert.deepEqual(
    services.map((service) => service.runs.length),
    [1, 3],
  );
});
