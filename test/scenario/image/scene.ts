import type { Board } from '../../image/board.ts';
import type { House } from '../../image/house.ts';
import type { Owner } from '../../image/owner.ts';
import type { Wishes } from '../../image/provisioning.ts';
import type { Report } from '../../image/report.ts';

/** What every chapter of the story has. */
export interface Scene {
  readonly report: Report;
  readonly board: Board;
  readonly house: House;
  readonly owner: Owner;
  readonly wishes: Wishes;
  /** For what a chapter writes; it goes when the story is over. */
  readonly folder: string;
  readonly releases: Releases;
}

/** Files of releases, the older first. */
export interface Releases {
  /** Version of the factory's. */
  readonly factory: string;
  /** Two good ones. */
  readonly next: string;
  readonly afterNext: string;
  /** One whose calculator ends at once, and one whose calculator is wrong. */
  readonly dead: string;
  readonly wrong: string;
}

/** One minute and five: for what should take seconds, and for what starts a machine. An emulator on a busy host is slow. */
export const MINUTE = 60_000;
export const BOOT_MS = 300_000;
/** For a whole update over ssh. */
export const UPDATE_MS = 420_000;
