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
import { setImmediate } from 'node:timers/promises';
import type { Context } from '../../../deploy/install/context.ts';
import { standing } from '../../../deploy/install/proof/standing.ts';
import { Report, type Verdict } from '../../../deploy/install/report.ts';
import { findPlaces } from '../../../deploy/install/store/places.ts';
import { Store } from '../../../deploy/install/store/store.ts';
import { watch } from '../../../deploy/install/watch.ts';
import { isoOf } from '../../../device/kernel/clock.ts';
import { placeTree } from '../../release/builder.ts';
import type { SigningKey } from '../../release/key.ts';
import { FakeClock } from '../../unit/fake-clock.ts';

export const MINUTE = 60_000;

/** A store in which 1.1.0 has just passed its gate, and an appliance that is as the test has it. */
export class WatchScene implements Disposable {
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

  /** A file of the owner's, by its path below the root. */
  edit(name: string, text: string): string {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
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

  /** The end of the watch. */
  async ended(ms?: number): Promise<Verdict> {
    await this.until(() => this.verdict !== undefined, ms);
    return this.verdict as Verdict;
  }

  /** Turns the hands until it is so; what an undo does takes processes of its own, which need real time. */
  async until(isSo: () => boolean, ms = 5 * MINUTE): Promise<void> {
    const until = this.clock.now() + ms;
    while (!isSo() && this.clock.now() < until) {
      await this.clock.advance(100);
      for (let round = 0; round < 20 && !isSo(); round++) await setImmediate();
      if (!isSo() && existsSync(this.store.places.update)) await new Promise((done) => setTimeout(done, 5));
    }
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
