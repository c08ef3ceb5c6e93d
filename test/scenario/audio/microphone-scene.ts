import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CardMicrophone } from '../../../device/audio/microphone/card-microphone.ts';
import { microphoneService } from '../../../device/audio/microphone/microphone-service.ts';
import { systemClock } from '../../../device/kernel/clock.ts';
import { createLog } from '../../../device/kernel/log.ts';
import type { RestartPolicy } from '../../../device/kernel/service.ts';
import type { PartStatus } from '../../../device/supervisor/status.ts';
import { Supervisor } from '../../../device/supervisor/supervisor.ts';
import { leftoversWith, type Process, processesWith } from '../processes.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const ARECORD = join(ROOT, 'test', 'fixtures', 'audio', 'arecord.mjs');
export const RECORDER_FILE = join(ROOT, 'device', 'audio', 'microphone', 'arecord.cts');

/** The usual waits would make a test wait: the same doubling, ten times as fast. */
export const QUICK: RestartPolicy = {
  settleMs: 10_000,
  firstMs: 75,
  maxMs: 800,
  maxRestarts: 1000,
  windowMs: 60_000,
};

/** What test/fixtures/audio/arecord.mjs reads at each start. */
export interface FakeCard {
  readonly accepts?: readonly (readonly [rate: number, channels: number])[];
  readonly params?: boolean;
  readonly insteadHz?: number;
  readonly fails?: string;
  readonly deafMs?: number;
  readonly exits?: readonly [ms: number, code: number, words?: string];
  readonly hz?: number;
  readonly silent?: boolean;
  readonly speed?: number;
  readonly list?: string;
}

/** A folder with a card made of a file, and the `arecord` that speaks for it. */
export class CardFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'aivoice-mic-'));
  /** For whoever starts recorders. */
  readonly env: Readonly<Record<string, string>>;

  constructor(card: FakeCard) {
    symlinkSync(ARECORD, join(this.path, 'arecord'));
    this.env = {
      PATH: [this.path, dirname(process.execPath)].join(delimiter),
      FAKE_CARD: join(this.path, 'card.json'),
      FAKE_LOG: join(this.path, 'log.txt'),
    };
    writeFileSync(join(this.path, 'log.txt'), '');
    this.is(card);
  }

  /** What the card is for the next recorder that starts. */
  is(card: FakeCard): void {
    writeFileSync(join(this.path, 'card.json'), JSON.stringify(card));
  }

  /** What recorders did so far: `start PID RATE CHANNELS DEVICE`, `refused PID REASON`, `open PID`, `end PID`. */
  log(what = ''): readonly string[] {
    const lines = readFileSync(join(this.path, 'log.txt'), 'utf8').split('\n');
    return lines.filter((line) => line !== '' && line.startsWith(what));
  }

  /** Recorders that exist now. */
  recorders(): readonly Process[] {
    return processesWith(`FAKE_CARD=${this.env.FAKE_CARD}\0`);
  }

  leftovers(ms: number): Promise<readonly Process[]> {
    return leftoversWith(`FAKE_CARD=${this.env.FAKE_CARD}\0`, ms);
  }

  [Symbol.dispose](): void {
    for (const { pid } of this.recorders()) process.kill(pid, 'SIGKILL');
    rmSync(this.path, { recursive: true, force: true });
  }
}

export interface SceneOptions {
  readonly card?: FakeCard;
  readonly device?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly restart?: RestartPolicy;
  readonly muted?: boolean;
}

/** A microphone below the supervisor that the appliance has, on a card that the test plays. */
export class MicrophoneScene implements AsyncDisposable {
  readonly folder: CardFolder;
  readonly microphone: CardMicrophone;
  readonly lines: string[] = [];
  readonly #supervisor: Supervisor;
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>;

  constructor({ card = {}, device = 'hw:1', env, restart = QUICK, muted = false }: SceneOptions = {}) {
    this.folder = new CardFolder(card);
    const clock = systemClock;
    const log = createLog({ sink: (line) => this.lines.push(line), wall: () => clock.wall() });
    this.microphone = new CardMicrophone(log);
    this.microphone.mute(muted);
    this.#supervisor = new Supervisor({ clock, log, random: Math.random });
    this.#supervisor.add(
      microphoneService({
        microphone: this.microphone,
        device,
        env: env ?? this.folder.env,
        recorderFile: RECORDER_FILE,
        clock,
        log,
        restart,
      }),
    );
    this.#running = this.#supervisor.run(this.#stop.signal);
  }

  part(): PartStatus {
    return this.#supervisor.parts()[0] as PartStatus;
  }

  /** The part, as soon as it is so. */
  untilPart(what: string, test: (part: PartStatus) => boolean, ms = 8000): Promise<PartStatus> {
    return until(
      what,
      () => [this.part()].find(test),
      ms,
      () => JSON.stringify(this.part()),
    );
  }

  ready(ms?: number): Promise<PartStatus> {
    return this.untilPart('ready', ({ state }) => state === 'ready', ms);
  }

  /** Listens until so many samples are there; then it has left. */
  async hear(samples: number, ms = 8000): Promise<Int16Array> {
    const chunks: Int16Array[] = [];
    using _ = this.microphone.listen((chunk) => void chunks.push(chunk));
    await until(
      `${samples} samples`,
      () => chunks.length * 320 >= samples || undefined,
      ms,
      () => JSON.stringify([chunks.length, this.part(), this.folder.log().slice(-5)]),
    );
    return Int16Array.from(chunks.flatMap((chunk) => [...chunk])).subarray(0, samples);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    this.folder[Symbol.dispose]();
  }
}

/** The value of `look` as soon as there is one; looked at every 10 ms. */
export async function until<T>(
  what: string,
  look: () => T | undefined,
  ms: number,
  told: () => string = () => '',
): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${what} ${told()}`);
    await sleep(10);
  }
}
