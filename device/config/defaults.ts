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
    readonly caFile: string;
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
  readonly tasks: { readonly announce: boolean };
  readonly voice: {
    readonly activationUrl: string;
    readonly url: Secret | undefined;
    readonly token: Secret | undefined;
    readonly version: number;
    readonly caFile: string;
    readonly mode: 'auto' | 'manual' | 'realtime';
    readonly dialTimeoutMs: number;
    readonly helloAgainMs: number;
    readonly helloTimeoutMs: number;
    readonly startBufferMs: number;
    readonly listenTimeoutMs: number;
    readonly thinkTimeoutMs: number;
    readonly speakTimeoutMs: number;
    readonly answerTimeoutMs: number;
    readonly silenceMs: number;
  };
  readonly audio: {
    readonly microphone: string;
    readonly speaker: string;
    readonly volume: number;
    readonly sounds: boolean;
    readonly echoCancelled: boolean;
    readonly guardMs: number;
    readonly speechDetection: boolean;
    readonly speechEndMs: number;
    readonly wakeWord: string;
    readonly wakeFolder: string;
    readonly wakeThreshold: number;
  };
  readonly terminal: {
    readonly port: string;
    readonly baud: number;
    readonly debounceMs: number;
    readonly doubleMs: number;
    readonly longMs: number;
    readonly click: ButtonAction;
    readonly double: ButtonAction;
    readonly triple: ButtonAction;
    readonly long: ButtonAction;
    readonly brightness: number;
  };
}

/** What a press of a button is for. */
type ButtonAction = 'talk' | 'stop' | 'status' | 'none';

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
    caFile: '',
    startTimeoutMs: 15_000,
    pingMs: 10_000,
    pingTimeoutMs: 3000,
    pingMisses: 2,
    stopEofMs: 1000,
    stopTermMs: 1000,
  },
  restart: { firstMs: 1000, maxMs: 60_000, settleMs: 10_000, maxRestarts: 5, windowMs: 60_000 },
  files: { root: '' },
  tasks: { announce: false },
  voice: {
    activationUrl: '',
    url: undefined,
    token: undefined,
    version: 1,
    caFile: '',
    mode: 'auto',
    dialTimeoutMs: 10_000,
    helloAgainMs: 4000,
    helloTimeoutMs: 10_000,
    startBufferMs: 180,
    listenTimeoutMs: 30_000,
    thinkTimeoutMs: 60_000,
    speakTimeoutMs: 10_000,
    answerTimeoutMs: 600_000,
    silenceMs: 120_000,
  },
  audio: {
    microphone: 'default',
    speaker: 'default',
    volume: 60,
    sounds: true,
    echoCancelled: false,
    guardMs: 300,
    speechDetection: false,
    speechEndMs: 800,
    wakeWord: '',
    wakeFolder: '',
    wakeThreshold: 50,
  },
  terminal: {
    port: '',
    baud: 115_200,
    debounceMs: 30,
    doubleMs: 250,
    longMs: 1000,
    click: 'talk',
    double: 'stop',
    triple: 'status',
    long: 'talk',
    brightness: 40,
  },
};
