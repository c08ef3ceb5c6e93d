import type { Clock } from '#kernel/clock.ts';
import type { ApplianceLine } from './proof/appliance-line.ts';
import type { Unit } from './proof/unit.ts';
import type { Report } from './report.ts';
import type { Store } from './store/store.ts';

/** What every verb of the installer works with. */
export interface Context {
  readonly store: Store;
  /** The unit of the appliance, as systemd has it. */
  readonly unit: Unit;
  /** The running appliance, by its command line. */
  readonly appliance: ApplianceLine;
  readonly report: Report;
  readonly clock: Clock;
  /** Aborts when the process is asked to end. Nothing that has begun to switch heeds it. */
  readonly asked: AbortSignal;
  /** True where the process is root: only then can it act as the user of the service. */
  readonly isRoot: boolean;
}
