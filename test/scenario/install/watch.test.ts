import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Context } from '../../../deploy/install/context.ts';
import { standing } from '../../../deploy/install/proof/standing.ts';
import { Report, type Verdict } from '../../../deploy/install/report.ts';
import { findPlaces } from '../../../deploy/install/store/places.ts';
import { Store } from '../../../deploy/install/store/store.ts';
import { watch } from '../../../deploy/install/watch.ts';
import { isoOf } from '../../../device/kernel/clock.ts';
import { proves } from '../../promises.ts';
import { placeTree } from '../../release/builder.ts';
import { SigningKey } from '../../release/key.ts';
import { FakeClock } from '../../unit/fake-clock.ts';

const MINUTE = 60_000;

/** A store in which 1.1.0 has just passed its gate, and an appliance that is as the test has it. */
class Scene implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'aivoice-watch-'));
  readonly clock = new FakeClock();
  readonly store = new Store(findPlaces(this.root));
  restarts = 0;
  state = 'active';
  /** What answers; `undefined` is silence. `current`: whatever the link leads to. */
  answers: string | undefined = 'current';
  parts: { name: string; state: string; code: string | null }[] = [];
  restarted = 0;
  verdict: Verdict | undefined;

  constructor(key: SigningKey, until = 10 * MINUTE) {
    const { places } = this.store;
    mkdirSync(places.factory, { recursive: true });
    placeTree(places.factory, '0.9.0', key);
    for (const version of ['1.0.0', '1.1.0']) placeTree(join(places.releases, version), version, key);
    this.store.prepare();
    for (const name of ['current', 'good'] as const) symlinkSync('releases/1.1.0', places[name]);
    symlinkSync('releases/1.0.0', places.previous);
    this.update('1.1.0', until);
  }

  update(to: string, until = 10 * MINUTE): void {
    const [at, end] = [this.clock.wall(), this.clock.wall() + until].map(isoOf) as [string, string];
    this.store.setUpdate({
      phase: 'watching',
      from: '1.0.0',
      to,
      back: 'releases/1.0.0',
      at,
      bootId: '',
      until: end,
      ...standing(this.store, { version: to, parts: this.parts }),
    });
  }

  /** 1.2.0 was undone, and 1.1.0 is back and has not answered yet. */
  returning(): void {
    const at = isoOf(this.clock.wall());
    this.store.setUpdate({
      phase: 'returning',
      from: '1.1.0',
      to: '1.2.0',
      back: 'releases/1.1.0',
      at,
      bootId: '',
      until: null,
    });
  }

  /** What the gate found ready is as it says from now on. */
  gatePassed(...names: string[]): void {
    this.parts = names.map((name) => ({ name, state: 'ready', code: null }));
    this.update('1.1.0');
  }

  turns(name: string, state: string, code: string | null): void {
    this.parts = this.parts.map((part) => (part.name === name ? { name, state, code } : part));
  }

  start(): void {
    const report = new Report({ language: 'en', json: false, stdout: () => {}, stderr: () => {} });
    const answer = () => (this.answers === 'current' ? this.store.read('current')?.version : this.answers);
    const status = async () => {
      const version = answer();
      return version === undefined ? undefined : { version, parts: this.parts };
    };
    const context: Context = {
      store: this.store,
      clock: this.clock,
      report,
      asked: new AbortController().signal,
      isRoot: false,
      unit: {
        look: async () => ({ restarts: this.restarts, state: this.state }),
        log: async () => ['its last words'],
        restart: async () => void this.restarted++,
        startWatch: async () => true,
      },
      appliance: { status, glance: status, tools: async () => [], call: async () => undefined },
    };
    void watch(context).then((verdict) => {
      this.verdict = verdict;
    });
  }

  /** Turns the hands, in steps, with time for files and processes in between. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1000) await this.clock.advance(Math.min(left, 1000));
  }

  /** The end of the watch: what it does then takes a process of its own. */
  async ended(ms = 5 * MINUTE): Promise<Verdict> {
    const until = this.clock.now() + ms;
    while (this.verdict === undefined && this.clock.now() < until) {
      await this.clock.advance(100);
      for (let round = 0; round < 20 && this.verdict === undefined; round++) await setImmediate();
      if (this.verdict === undefined && existsSync(this.store.places.update))
        await new Promise((done) => setTimeout(done, 5));
    }
    return this.verdict as Verdict;
  }

  /** How it has ended, if it has. */
  said(): Verdict['verdict'] | undefined {
    return this.verdict?.verdict;
  }

  links(): string[] {
    return (['current', 'good'] as const).map((name) => readlinkSync(this.store.places[name]));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

describe('the watch over a new release', () => {
  let key: SigningKey;
  before(() => {
    key = new SigningKey();
  });
  after(() => key[Symbol.dispose]());

  test('ends after ten minutes, and not before', async () => {
    using scene = new Scene(key);
    scene.start();
    await scene.pass(10 * MINUTE - 6000);
    assert.equal(scene.said(), undefined);
    await scene.pass(12_000);
    assert.equal(scene.said(), 'good');
    assert.equal(scene.store.update(), undefined);
    assert.deepEqual(scene.links(), ['releases/1.1.0', 'releases/1.1.0']);
  });

  test('bears two crashes, and undoes the release at the third', async () => {
    proves('update-undone');
    using scene = new Scene(key);
    scene.restarts = 7; // of the start itself
    scene.start();
    await scene.pass(MINUTE);
    scene.restarts = 9;
    await scene.pass(MINUTE);
    assert.equal(scene.said(), undefined);
    scene.restarts = 10;
    const { verdict, code, version, from } = await scene.ended();
    assert.deepEqual([verdict, code, version, from], ['undone', 'UPDATE_UNDONE', '1.1.0', '1.0.0']);
    assert.deepEqual(scene.links(), ['releases/1.0.0', 'releases/1.0.0']);
    assert.equal(scene.restarted, 1);
    const { check, reason, log } = scene.store.undone() ?? {};
    assert.deepEqual([check, reason, log], ['crashes', 'it ended 3 times', ['its last words']]);
    assert.equal(scene.store.target('previous'), undefined);
  });

  test('undoes a release that is silent for a minute in one piece', async () => {
    using scene = new Scene(key);
    scene.start();
    for (const answers of [undefined, '1.1.0', undefined, '1.1.0']) {
      scene.answers = answers;
      await scene.pass(50_000);
    }
    assert.equal(scene.said(), undefined, 'fifty seconds are no minute');
    scene.answers = undefined;
    await scene.pass(50_000);
    scene.answers = 'current';
    await scene.pass(10_000);
    assert.equal(scene.said(), undefined);
    scene.state = 'failed';
    assert.equal((await scene.ended()).verdict, 'undone');
    assert.equal(scene.store.undone()?.check, 'failed');
  });

  test('undoes a release that loses a part for two minutes in one piece', async () => {
    using scene = new Scene(key);
    scene.gatePassed('calculator', 'voice');
    scene.start();
    for (const state of ['failed', 'ready', 'failed', 'ready']) {
      scene.turns('calculator', state, state === 'ready' ? null : 'SERVER_EXITED');
      await scene.pass(100_000);
    }
    assert.equal(scene.said(), undefined, 'a server that is started again is no loss');
    scene.turns('calculator', 'failed', 'SERVER_EXITED');
    assert.equal((await scene.ended()).verdict, 'undone');
    const { check, reason } = scene.store.undone() ?? {};
    assert.equal(check, 'ready');
    assert.match(reason ?? '', /^calculator is failed, SERVER_EXITED after 12\d s$/);
    assert.deepEqual(scene.links(), ['releases/1.0.0', 'releases/1.0.0']);
  });

  for (const [what, happens] of [
    ['a cloud that is away', (scene: Scene) => scene.turns('voice', 'degraded', 'NET_DOWN')],
    ['a certificate', (scene: Scene) => scene.turns('voice', 'degraded', 'TLS')],
    ['a sound card that was pulled out', (scene: Scene) => scene.turns('voice', 'failed', 'AUDIO_MISSING')],
    ['a server that its owner took away', (scene: Scene) => scene.parts.shift()],
    [
      'a part that was not ready at the gate',
      (scene: Scene) => scene.parts.push({ name: 'weather', state: 'failed', code: 'SERVER_EXITED' }),
    ],
    [
      'what fails with other settings',
      (scene: Scene) => {
        mkdirSync(dirname(scene.store.places.settings), { recursive: true });
        writeFileSync(scene.store.places.settings, "language = 'en'\n");
        scene.turns('calculator', 'failed', 'SERVER_EXITED');
      },
    ],
  ] as const)
    test(`does not hold ${what} against a release`, async () => {
      using scene = new Scene(key);
      scene.gatePassed('calculator', 'voice');
      scene.start();
      await scene.pass(MINUTE);
      happens(scene);
      await scene.pass(10 * MINUTE);
      assert.equal(scene.said(), 'good');
      assert.equal(scene.store.undone(), undefined);
    });

  test('takes the release of the factory where the one before does not answer either', async () => {
    using scene = new Scene(key);
    scene.start();
    scene.answers = undefined;
    assert.equal((await scene.ended(10 * MINUTE)).from, '0.9.0');
    assert.deepEqual(scene.links(), Array(2).fill(scene.store.places.factory));
    assert.equal(scene.restarted, 2);
  });

  test('ends without a word when another update takes its place', async () => {
    using scene = new Scene(key);
    scene.start();
    await scene.pass(MINUTE);
    scene.update('1.2.0');
    scene.restarts = 3;
    await scene.pass(6000);
    assert.equal(scene.said(), 'good');
    assert.equal(scene.restarted, 0);
    assert.equal(scene.store.update()?.to, '1.2.0');
  });

  test('goes by its own time where the clock of the board was wrong', async () => {
    using scene = new Scene(key, -365 * 24 * 60 * MINUTE);
    scene.start();
    await scene.pass(9 * MINUTE);
    assert.equal(scene.said(), undefined);
    await scene.pass(2 * MINUTE);
    assert.equal(scene.said(), 'good');
  });

  test('has nothing to do where there is no update', async () => {
    using scene = new Scene(key);
    scene.store.setUpdate(undefined);
    scene.start();
    assert.equal((await scene.ended(1000)).verdict, 'same');
  });

  test('after an undo, what is back is on record until it answers', async () => {
    using scene = new Scene(key);
    scene.start();
    scene.restarts = 3;
    scene.answers = undefined; // what is back says nothing either
    while (scene.store.update()?.phase === 'watching') await scene.pass(1000);
    await scene.pass(10_000);
    const { phase, back } = scene.store.update() ?? {};
    assert.deepEqual([phase, back], ['returning', 'releases/1.0.0']);
    assert.deepEqual(scene.links(), ['releases/1.0.0', 'releases/1.0.0']);
    const { from } = await scene.ended();
    assert.equal(from, '0.9.0');
    assert.equal(scene.store.update(), undefined);
    assert.deepEqual(scene.links(), [scene.store.places.factory, scene.store.places.factory]);
    assert.equal(scene.store.undone()?.back, '0.9.0', 'people are told what is really back');
  });

  test('a power cut in the middle of an undo does not leave a release in place that never answers', async () => {
    using scene = new Scene(key);
    scene.returning();
    scene.answers = undefined;
    scene.start();
    await scene.ended();
    assert.deepEqual(scene.links(), [scene.store.places.factory, scene.store.places.factory]);
    assert.equal(scene.restarted, 1);
    assert.equal(scene.store.update(), undefined);
  });

  test('after such a cut the release that is back stays where it answers', async () => {
    using scene = new Scene(key);
    scene.returning();
    scene.start();
    const { verdict, version } = await scene.ended();
    assert.deepEqual([verdict, version, scene.restarted], ['good', '1.1.0', 0]);
    assert.deepEqual(scene.links(), ['releases/1.1.0', 'releases/1.1.0']);
    assert.equal(scene.store.update(), undefined);
  });
});
