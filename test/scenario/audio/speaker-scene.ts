import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { CardSpeaker } from '../../../device/audio/speaker/speaker-card.ts';
import { systemClock } from '../../../device/kernel/clock.ts';
import { createLog } from '../../../device/kernel/log.ts';
import { leftoversWith, type Process, processesWith } from '../processes.ts';

const APLAY = join(import.meta.dirname, '..', '..', 'fixtures', 'audio', 'aplay.mjs');

/** What test/fixtures/audio/aplay.mjs reads at each start. */
export interface FakePlayerCard {
  readonly fails?: string;
  readonly warns?: string;
  readonly hangs?: boolean;
  readonly deaf?: boolean;
  readonly exits?: readonly [ms: number, code: number, words?: string];
  readonly takesMs?: number;
}

export interface SpeakerSceneOptions {
  readonly card?: FakePlayerCard;
  readonly command?: string;
  readonly device?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Ms of CLOCK_MONOTONIC, as the stand-in writes them. */
export function monotonic(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A speaker on a card that the test plays. Disposing it leaves no process. */
export class SpeakerScene implements AsyncDisposable {
  readonly path = mkdtempSync(join(tmpdir(), 'aivoice-speaker-'));
  readonly speaker: CardSpeaker;
  readonly lines: string[] = [];
  readonly #mark: string;

  constructor({ card = {}, command = 'aplay', device = 'default', env = {} }: SpeakerSceneOptions = {}) {
    const clock = systemClock;
    symlinkSync(APLAY, join(this.path, 'aplay'));
    this.is(card);
    this.#mark = `FAKE_CARD=${join(this.path, 'card.json')}\0`;
    this.speaker = new CardSpeaker({
      player: {
        command,
        device,
        env: {
          PATH: [this.path, dirname(process.execPath)].join(delimiter),
          FAKE_CARD: join(this.path, 'card.json'),
          FAKE_LOG: join(this.path, 'log.txt'),
          FAKE_SOUND: join(this.path, 'sound.raw'),
          ...env,
        },
      },
      volume: 100,
      sounds: true,
      clock,
      log: createLog({ sink: (line) => this.lines.push(line), wall: () => clock.wall() }),
    });
  }

  /** What the card is for the next player that starts. */
  is(card: FakePlayerCard): void {
    writeFileSync(join(this.path, 'card.json'), JSON.stringify(card));
    writeFileSync(join(this.path, 'log.txt'), '');
    writeFileSync(join(this.path, 'sound.raw'), '');
  }

  /** Times of `what` in the record of the card: start, open, play, dry, silent. */
  times(what: string): readonly number[] {
    const lines = readFileSync(join(this.path, 'log.txt'), 'utf8').split('\n');
    return lines.filter((line) => line.startsWith(`${what} `)).map((line) => Number(line.split(' ')[2]));
  }

  /** What left the card. */
  played(file = 'sound.raw'): Int16Array {
    const bytes = readFileSync(join(this.path, file));
    return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
  }

  players(): readonly Process[] {
    return processesWith(this.#mark);
  }

  leftovers(ms: number): Promise<readonly Process[]> {
    return leftoversWith(this.#mark, ms);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.speaker.stop();
    for (const { pid } of this.players()) process.kill(pid, 'SIGKILL');
    rmSync(this.path, { recursive: true, force: true });
  }
}
