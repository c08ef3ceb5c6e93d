import type { Secret } from './secrets.ts';

/**
 * The settings of the appliance as the program uses them. Meaning, unit, range and source of each are in schema.ts,
 * which reads them from appliance.toml (the same words in snake_case).
 */
export interface Settings {
  readonly language: 'auto' | 'ja' | 'en';
  readonly logLevel: 'error' | 'warn' | 'info' | 'debug';
  readonly timeZone: string;
  readonly endpoint: {
    readonly url: Secret | undefined;
    readonly caFile: string;
    readonly pingMs: number;
    readonly deadMs: number;
    readonly dialTimeoutMs: number;
    readonly closeMs: number;
    readonly retryFirstMs: number;
    readonly retryMaxMs: number;
    readonly closedFirstMs: number;
    readonly closedMaxMs: number;
    readonly replacedFirstMs: number;
    readonly replacedMaxMs: number;
    readonly refusedMinMs: number;
    readonly refusedMaxMs: number;
    readonly tlsFirstMs: number;
    readonly tlsMaxMs: number;
  };
  readonly bridge: {
    readonly prefix: 'collide' | 'always';
    readonly resultBudget: 'auto' | 'off' | number;
    readonly callTimeoutMs: number;
    readonly holdMs: number;
    readonly listWaitMs: number;
    readonly changeDebounceMs: number;
    readonly perServer: boolean;
  };
  readonly servers: {
    readonly file: string;
    readonly startTimeoutMs: number;
    readonly pingMs: number;
    readonly pingTimeoutMs: number;
    readonly pingMisses: number;
    readonly stopEofMs: number;
    readonly stopTermMs: number;
  };
  readonly restart: {
    readonly firstMs: number;
    readonly maxMs: number;
    readonly settleMs: number;
    readonly maxRestarts: number;
    readonly windowMs: number;
  };
  readonly files: { readonly root: string };
}

/** What holds without an appliance.toml. Plain data, so that a start without that file loads no schema library. */
export const DEFAULTS: Settings = {
  language: 'auto',
  logLevel: 'info',
  timeZone: 'Asia/Tokyo',
  endpoint: {
    url: undefined,
    caFile: '',
    pingMs: 15_000,
    deadMs: 25_000,
    dialTimeoutMs: 10_000,
    closeMs: 1000,
    retryFirstMs: 1000,
    retryMaxMs: 60_000,
    closedFirstMs: 1000,
    closedMaxMs: 60_000,
    replacedFirstMs: 20_000,
    replacedMaxMs: 300_000,
    refusedMinMs: 300_000,
    refusedMaxMs: 900_000,
    tlsFirstMs: 10_000,
    tlsMaxMs: 300_000,
  },
  bridge: {
    prefix: 'collide',
    resultBudget: 'auto',
    callTimeoutMs: 28_000,
    holdMs: 2000,
    listWaitMs: 1500,
    changeDebounceMs: 3000,
    perServer: false,
  },
  servers: {
    file: '',
    startTimeoutMs: 15_000,
    pingMs: 10_000,
    pingTimeoutMs: 3000,
    pingMisses: 2,
    stopEofMs: 1000,
    stopTermMs: 1000,
  },
  restart: { firstMs: 1000, maxMs: 60_000, settleMs: 10_000, maxRestarts: 5, windowMs: 60_000 },
  files: { root: '' },
};
