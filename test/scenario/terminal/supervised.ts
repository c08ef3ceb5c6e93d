import { systemClock } from '../../../device/kernel/clock.ts';
import { createLog } from '../../../device/kernel/log.ts';
import type { RestartPolicy } from '../../../device/kernel/service.ts';
import { Part } from '../../../device/supervisor/part.ts';
import type { PartStatus } from '../../../device/supervisor/status.ts';
import { TerminalBox } from '../../../device/terminal/box.ts';
import { TERMINAL_RESTART, terminalService } from '../../../device/terminal/service.ts';
import type { TerminalEvent } from '../../../device/terminal/terminal.ts';
import type { LinkTiming } from '../../../device/terminal/timing.ts';
import { Waiters } from '../../cloud/waiters.ts';

export interface SupervisedOptions {
  /** The stable name of the port. */
  readonly port: string;
  readonly timing?: Partial<LinkTiming>;
  readonly restart?: Partial<RestartPolicy>;
}

/** The `terminal` service under a supervisor, as in the appliance, with nothing else around it. */
export class Supervised implements AsyncDisposable {
  readonly box: TerminalBox;
  readonly lines: string[] = [];
  readonly #part: Part;
  readonly #events = new Waiters<TerminalEvent>();
  readonly #changes = new Waiters<PartStatus>();

  constructor({ port, timing, restart }: SupervisedOptions) {
    const clock = systemClock;
    const log = createLog({ sink: (line) => this.lines.push(line), wall: clock.wall });
    this.box = new TerminalBox({
      clock,
      log,
      random: Math.random,
      panel: { light: 'ready', brightness: 40, volume: 60, mute: false },
    });
    this.box.onEvent((event) => this.#events.add(event));
    const service = terminalService({
      terminal: this.box,
      port,
      baud: 115_200,
      debounceMs: 30,
      doubleMs: 250,
      longMs: 1000,
      clock,
      log,
      restart: { ...TERMINAL_RESTART, ...restart },
      ...(timing && { timing }),
    });
    this.#part = new Part(service, {
      clock,
      log,
      random: Math.random,
      onChange: () => this.#changes.add(this.#part.look()),
      onLost: () => {},
    });
    this.#part.begin();
  }

  get events(): readonly TerminalEvent[] {
    return this.#events.record;
  }

  get status(): PartStatus {
    return this.#part.look();
  }

  /** The next event that fits. */
  next(kind: TerminalEvent['kind'], ms = 5000): Promise<TerminalEvent> {
    return this.#events.next(`an event ${kind}`, (event) => event.kind === kind, ms);
  }

  /** The first event that fits, past or still to come. */
  expect(kind: TerminalEvent['kind'], ms = 5000): Promise<TerminalEvent> {
    return this.#events.expect(`an event ${kind}`, (event) => event.kind === kind, ms);
  }

  /** Waits until the status says this code; it is asked as the status page asks it. */
  async until(code: string, ms = 5000): Promise<PartStatus> {
    for (const end = performance.now() + ms; performance.now() < end; ) {
      const { status } = this;
      if (status.code === code || (code === '' && status.state === 'ready' && status.code === undefined))
        return status;
      await systemClock.sleep(20);
    }
    throw new Error(`expected ${code || 'ready'} within ${ms} ms: ${JSON.stringify(this.status)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#part.stop();
  }
}
