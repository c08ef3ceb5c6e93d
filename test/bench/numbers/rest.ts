import { setTimeout as sleep } from 'node:timers/promises';
import { dice } from '../../dice.ts';
import { type Stage, setStage } from '../../scenario/stage.ts';
import { cpuPercent, memoryKb } from './process-cost.ts';

/** What a start compiles has then been compiled and kept. */
const WARM_MS = 12_000;
const HEARD_HZ = 16_000;

export interface RestNumbers {
  /** Percent of a core, and MB of the appliance process alone. */
  readonly without: Cost;
  readonly voice: Cost;
  readonly wakeWord: Cost;
}

export interface Cost {
  readonly cpu: number;
  readonly memoryMb: number;
}

/** What an appliance costs that nobody speaks to: without a voice, with one, and listening for a wake word. */
export async function measureRest(restMs: number): Promise<RestNumbers> {
  return {
    without: await costOf(restMs, { voice: { url: '', token: '' } }, false),
    voice: await costOf(restMs, {}, true),
    wakeWord: await costOf(restMs, { audio: { wake_word: 'hey_jarvis', speech_detection: true } }, true),
  };
}

async function costOf(
  restMs: number,
  settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  speaks: boolean,
): Promise<Cost> {
  await using stage = await setStage({ settings, ...(speaks ? {} : { terminal: false }) });
  if (speaks) {
    await stage.ready();
    await oneTurn(stage);
  } else {
    await stage.cloud.tools(30_000);
  }
  stage.card.speak(quietRoom(WARM_MS + restMs));
  await sleep(WARM_MS);
  const cpu = await cpuPercent(stage.appliance.pid, restMs);
  return { cpu, memoryMb: memoryKb(stage.appliance.pid) / 1024 };
}

/** What was never used costs nothing yet. */
async function oneTurn(stage: Stage): Promise<void> {
  await stage.turn('What is 2 plus 3?');
  const closed = stage.next('closed');
  stage.click();
  await closed;
}

/** No room is silent as zeros are: a little noise, which is no speech and has to be looked at all the same. */
function quietRoom(ms: number): Int16Array {
  const roll = dice(16);
  return new Int16Array((HEARD_HZ * ms) / 1000).map(() => roll(61) - 30);
}
