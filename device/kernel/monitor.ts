import type { Clock } from './clock.ts';
import type { Ending, Health, Service } from './service.ts';

/** Monitor: looks at something and tells what it sees. It owns nothing that can die, so it is over only when asked. */
export interface Monitor {
  readonly name: string;
  readonly kind: Service['kind'];
  /** Looks once, goes on looking where there is something to follow, and ends that when disposed. Must not throw. */
  watch(): Disposable | undefined;
  health(): Health;
}

/** Looking takes no time; a file system that hangs does. ms. */
const START_MS = 1000;

/** Looks at once and then every `ms`, until it is disposed. */
export function lookEvery(clock: Clock, ms: number, look: () => void): Disposable {
  let next: Disposable;
  const again = () => {
    look();
    next = clock.timer(ms, again);
  };
  again();
  return { [Symbol.dispose]: () => next[Symbol.dispose]() };
}

/** A monitor as a part of the appliance, beside the services that can fail. */
export function monitorService({ name, kind, watch, health }: Monitor): Service {
  return {
    name,
    kind,
    essential: false,
    restart: { settleMs: 1000, firstMs: 1000, maxMs: 60_000, maxRestarts: 5, windowMs: 60_000 },
    startMs: START_MS,
    start: async () => {
      const watching = watch();
      let over = () => {};
      const ended = new Promise<Ending>((resolve) => {
        over = () => resolve({ asked: true, reason: 'stopped' });
      });
      return {
        ended,
        health,
        async [Symbol.asyncDispose]() {
          watching?.[Symbol.dispose]();
          over();
        },
      };
    },
  };
}
