import { FakeClock } from '../unit/fake-clock.ts';
import { simulate } from './simulated.ts';

export interface DamageReport {
  readonly sent: number;
  /** Numbers of the events as they came, in order. */
  readonly heard: readonly string[];
  /** Events that are none of those that were sent: a false frame. */
  readonly strange: number;
  /** Tellings of the appliance that are none of its own. */
  readonly strangeCommands: number;
  readonly repeated: number;
  readonly damaged: number;
  readonly relinked: number;
  readonly restarts: number;
  readonly simulatedMs: number;
}

/** `count` events, one after the other, over a line that damages a part of all bytes in both directions. */
export async function countEvents(count: number, rate: number, seed: number): Promise<DamageReport> {
  const clock = new FakeClock();
  const simulated = simulate({ clock, faults: { rate, seed } });
  const { firmware, box, events, told } = simulated;
  const totals = { repeated: 0, damaged: 0, relinked: 0, restarts: 0 };
  let over = false;
  const begin = async () => {
    await simulated.plug();
    const { run } = simulated;
    void run.ended.then(async () => {
      const { repeated, noise, crc, overflow, relinked } = run.counts;
      totals.repeated += repeated;
      totals.damaged += noise + crc + overflow;
      totals.relinked += relinked;
      if (over) return;
      totals.restarts++;
      clock.timer(500, () => void begin());
    });
  };
  firmware.boot();
  await begin();
  let sent = 0;
  while (sent < count || firmware.pending > 0) {
    if (sent < count && firmware.pending === 0) {
      const isTaken = firmware.tell({ type: 3, payload: { word: `event ${sent}`, score: 1 } });
      if (isTaken) sent++;
    }
    if (sent % 100 === 0) box.show({ volume: (sent / 100) % 100 });
    await clock.advance(clock.untilNext ?? 1);
  }
  over = true;
  await simulated.run[Symbol.asyncDispose]();
  firmware.off();
  await clock.settle();
  const heard = events.flatMap((event) => (event.kind === 'wake' ? [event.word] : []));
  const expected = new Set(Array.from({ length: count }, (_, index) => `event ${index}`));
  const own = new Set(['hello', 'led', 'volume', 'mute', 'get_state', 'host-lost']);
  return {
    sent,
    heard,
    strange:
      heard.filter((word) => !expected.has(word)).length +
      events.filter(({ kind }) => !['wake', 'linked', 'lost'].includes(kind)).length,
    strangeCommands: told.filter(({ what }) => !own.has(what)).length,
    simulatedMs: clock.now(),
    ...totals,
  };
}
