import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proves } from '../../promises.ts';
import type { Stage, StageOptions } from '../stage.ts';
import { ask, call, setTalk, untilLight } from '../voice/talk.ts';
import { packetsSent, phaseIs, untilProgram } from './observe.ts';

/** The promise is 3 s. */
const STOPPED_MS = 3000;

interface Moment {
  readonly options?: StageOptions;
  readonly reach: (stage: Stage) => Promise<unknown>;
}

const MOMENTS: Readonly<Record<string, Moment>> = {
  'while it dials': {
    reach: async (stage) => {
      stage.voice.nextFaults.push({ hello: 'never' });
      stage.click();
      await stage.next('hello');
      await untilProgram(stage, 'arecord');
    },
  },
  'while it listens': {
    reach: async (stage) => {
      await call(stage);
      await stage.next('audio');
    },
  },
  'while it thinks': {
    options: { voice: { answer: () => new Promise(() => {}) } },
    reach: async (stage) => {
      await ask(stage);
      await untilLight(stage, 'thinking');
    },
  },
  'while it speaks': {
    reach: async (stage) => {
      await ask(stage);
      await packetsSent(stage, 8);
    },
  },
  'right after an answer': {
    options: { settings: { audio: { guard_ms: 2000 } } },
    reach: async (stage) => {
      await ask(stage);
      await phaseIs(stage, 'guard', 10_000);
    },
  },
  'while its microphone and its terminal are away': {
    reach: async (stage) => {
      await call(stage);
      stage.card.break('microphone', 'vanished');
      stage.terminal.unplug();
      await stage.appliance.untilPart('microphone', ({ code }) => code === 'AUDIO_MISSING');
    },
  },
  'while its speaker hangs in an answer': {
    reach: async (stage) => {
      await ask(stage);
      await packetsSent(stage, 8);
      stage.card.break('speaker', 'stalled');
    },
  },
};

describe('asked to stop', { concurrency: 4 }, () => {
  for (const [when, { options = {}, reach }] of Object.entries(MOMENTS)) {
    it(`${when}, the appliance ends with 0 and leaves no recorder and no player behind`, async (test) => {
      proves('life-stop', 'life-no-leftovers');
      await using stage = await setTalk(options);
      await reach(stage);
      const { code, ms } = await stage.appliance.stop();
      test.diagnostic(`gone after ${Math.round(ms)} ms`);
      assert.equal(code, 0);
      assert.ok(ms < STOPPED_MS, `${ms} ms`);
      assert.deepEqual(await stage.appliance.leftovers(100), []);
    });
  }
});

describe('killed', { concurrency: 2 }, () => {
  for (const when of ['while it listens', 'while it speaks'] as const) {
    it(`${when}, the appliance leaves no recorder and no player behind`, async () => {
      proves('life-no-leftovers');
      await using stage = await setTalk();
      await MOMENTS[when]?.reach(stage);
      await untilProgram(stage, when === 'while it listens' ? 'arecord' : 'aplay');
      process.kill(stage.appliance.pid, 'SIGKILL');
      assert.deepEqual(await stage.appliance.leftovers(3000), []);
    });
  }
});
