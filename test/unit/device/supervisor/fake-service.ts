import { createLog } from '../../../../device/kernel/log.ts';
import type { Ending, Health, RestartPolicy, Run, Service } from '../../../../device/kernel/service.ts';
import { Supervisor, type SupervisorOptions } from '../../../../device/supervisor/supervisor.ts';
import { FakeClock } from '../../fake-clock.ts';

export const POLICY: RestartPolicy = {
  settleMs: 10_000,
  firstMs: 500,
  maxMs: 60_000,
  maxRestarts: 5,
  windowMs: 60_000,
};

/** FakeRun: a run that a test ends, and that remembers what was done to it. */
export class FakeRun implements Run {
  readonly ended: Promise<Ending>;
  readonly pid: number;
  end: (ending: Ending) => void = () => {};
  health: () => Health = () => ({ state: 'ready' });
  disposals = 0;
  probes = 0;
  /** What disposing waits for. */
  stopping: Promise<unknown> = Promise.resolve();

  constructor(pid: number) {
    this.pid = pid;
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  die(reason = 'exited 3'): void {
    this.end({ asked: false, code: 'SERVER_EXITED', reason });
  }

  async probe(): Promise<void> {
    this.probes++;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.disposals++;
    await this.stopping;
    this.end({ asked: true, reason: 'stopped' });
  }
}

/** FakeService: records when it was started and does at each start what `plan` says. */
export class FakeService implements Service {
  readonly name: string;
  readonly kind: Service['kind'];
  readonly essential: boolean;
  readonly restart: RestartPolicy;
  readonly startMs: number;
  readonly stopMs: number;
  readonly probeMs: number;
  readonly startedAt: number[] = [];
  readonly runs: FakeRun[] = [];
  readonly signals: AbortSignal[] = [];
  plan: (run: FakeRun, signal: AbortSignal) => Promise<Run> = async (run) => run;
  readonly #clock: FakeClock;

  constructor(clock: FakeClock, name: string, options: Partial<Service> = {}) {
    this.#clock = clock;
    this.name = name;
    this.kind = options.kind ?? 'server';
    this.essential = options.essential ?? false;
    this.restart = options.restart ?? POLICY;
    this.startMs = options.startMs ?? 15_000;
    this.stopMs = options.stopMs ?? 3000;
    this.probeMs = options.probeMs ?? 10_000;
  }

  start(signal: AbortSignal): Promise<Run> {
    this.startedAt.push(this.#clock.now());
    this.signals.push(signal);
    const run = new FakeRun(1000 + this.runs.length);
    this.runs.push(run);
    return this.plan(run, signal);
  }

  /** The newest run. */
  get run(): FakeRun {
    return this.runs.at(-1)!;
  }

  /** Waits in ms between one start and the next. */
  get gaps(): number[] {
    return this.startedAt.slice(1).map((at, n) => at - this.startedAt[n]!);
  }
}

export interface Stage extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly supervisor: Supervisor;
  /** Log lines as objects. */
  readonly lines: Record<string, unknown>[];
  readonly outcome: Promise<{ fault?: Error }>;
  stop(): Promise<{ fault?: Error }>;
}

/** A supervisor that runs these services on a fake clock. Jitter is fixed at none unless `random` is given. */
export async function stage(
  declare: (clock: FakeClock) => FakeService[],
  options: Partial<SupervisorOptions> = {},
): Promise<Stage> {
  const clock = new FakeClock();
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ wall: () => clock.wall(), sink: (line) => lines.push(JSON.parse(line)) });
  const supervisor = new Supervisor({ clock, log, random: () => 0.5, ...options });
  for (const service of declare(clock)) supervisor.add(service);
  const asked = new AbortController();
  const outcome = supervisor.run(asked.signal);
  const stop = async () => {
    asked.abort();
    let over = false;
    void outcome.finally(() => {
      over = true;
    });
    for (let round = 0; round < 20 && !over; round++) await clock.advance(1000);
    return outcome;
  };
  await clock.settle();
  return { clock, supervisor, lines, outcome, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}
