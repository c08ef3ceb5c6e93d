import { join } from 'node:path';
import { systemClock, within } from '#kernel/clock.ts';
import { errnoOf, Fault, messageOf } from '#kernel/fault.ts';
import { createLog, type Level, type Log, PRIORITY } from '#kernel/log.ts';
import { createCounters } from '../bridge/call.ts';
import { KnownFolder } from '../bridge/known-folder.ts';
import { Router } from '../bridge/router.ts';
import { TaskStore } from '../bridge/tasks/store.ts';
import type { Assistance } from './assistant/open.ts';
import type { Environment } from './config/environment.ts';
import { type Config, secretsOf } from './config/load.ts';
import { findPlaces } from './config/places.ts';
import { redactor } from './config/secrets.ts';
import type { Releases } from './release/releases.ts';
import { applyDifference, type Difference, withRenewed } from './reload.ts';
import { type Declaration, declareServices, type Kit, routerRules } from './services.ts';
import { Supervisor, type SupervisorOptions } from './supervisor/supervisor.ts';
import { TaskNews } from './task-news.ts';
import { isWanted } from './wanted.ts';

export interface ApplianceOptions {
  readonly environment: Environment;
  readonly config: Config;
  /** Gets each finished log line, redacted. */
  readonly sink: (line: string, level: Level) => void;
  /** Aborts when the appliance is asked to stop. */
  readonly stopping: AbortSignal;
  /** Makes whoever watches the supervisor from above. */
  readonly watch?: (log: Log) => Pick<SupervisorOptions, 'watcher' | 'tickMs'>;
}

/** Keys learned while running that are kept secret: a cloud may give a new one at each registration. */
const MAX_LEARNED = 32;

/** What there is to be shown of an update where nothing is ever updated. */
const NO_RELEASE = { updating: false, undone: undefined };

/** How long a reload waits for what it started. A slower server goes on starting. */
const SETTLE_MS = 3000;

/** The appliance process: the router, what stands around it, and the supervisor that keeps all of it running. */
export class Appliance {
  readonly kit: Kit;
  readonly supervisor: Supervisor;
  /** What is known of releases, where this is an installed appliance. */
  releases: Releases | undefined;
  #declared: readonly Declaration[] = [];
  /** What a person meets, once the settings have asked for it. */
  #assistant: Assistance | undefined;
  #level: Level;
  #config: Config;
  #secrets: Set<string>;
  readonly #news: TaskNews;
  #announce: boolean;
  #language: 'ja' | 'en';
  readonly #learned = new Set<string>();
  #hide: (line: string) => string;

  constructor({ environment, config, sink, stopping, watch }: ApplianceOptions) {
    this.#level = config.settings.logLevel;
    this.#secrets = new Set(secretsOf(config));
    this.#hide = redactor([...this.#secrets]);
    const clock = systemClock;
    const counters = createCounters();
    const log = createLog({
      sink,
      level: () => this.#level,
      wall: clock.wall,
      redact: (line) => this.#hide(line),
    });
    const router = new Router({ clock, counters, ...routerRules(config) });
    const tasks = new TaskStore(clock);
    const known = new KnownFolder(join(findPlaces(environment).state, 'tools'), clock.wall);
    const keepSecret = (secret: string) => {
      if (this.#secrets.has(secret) || this.#learned.has(secret)) return;
      this.#learned.add(secret);
      for (const oldest of [...this.#learned].slice(0, -MAX_LEARNED)) this.#learned.delete(oldest);
      this.#hide = redactor([...this.#secrets, ...this.#learned]);
    };
    const base = { environment, clock, random: Math.random, log, router, counters, known };
    this.kit = { ...base, tasks, stopping, keepSecret };
    this.supervisor = new Supervisor({
      ...this.kit,
      ...watch?.(log),
      onChange: () => this.#followStates(),
    });
    this.#config = config;
    this.#language = config.language === 'en' ? 'en' : 'ja';
    this.#announce = config.settings.tasks.announce;
    this.#news = new TaskNews({
      ...{ store: tasks, clock, log },
      settings: () => ({ announce: this.#announce, language: this.#language }),
      say: (text, signal) => this.say(text, () => {}, signal),
    });
  }

  get log(): Log {
    return this.kit.log;
  }

  /** Runs until the signal aborts (resolves with nothing) or an essential service is lost (with its fault). */
  async run(signal: AbortSignal): Promise<Fault | undefined> {
    this.#declared = await this.#declare(this.#config);
    for (const declaration of this.#declared) this.supervisor.add(declaration.create());
    const outcome = await this.supervisor.run(signal);
    this.#news[Symbol.dispose]();
    await this.#assistant?.[Symbol.asyncDispose]();
    this.kit.tasks[Symbol.dispose]();
    return outcome.fault;
  }

  /** Goes over to other settings; only what changed is touched. */
  async reload(config: Config): Promise<Difference> {
    this.#learnSecrets(config);
    this.#level = config.settings.logLevel;
    this.#announce = config.settings.tasks.announce;
    this.#language = config.language === 'en' ? 'en' : 'ja';
    this.kit.router.configure(routerRules(config));
    const difference = await this.#goOverTo(await this.#declare(config));
    // Whoever asked for it calls next: what is new is given a moment to be there.
    const fresh = [...difference.added, ...difference.restarted].map((name) => this.supervisor.settled(name));
    await within(this.kit.clock, SETTLE_MS, Promise.all(fresh));
    return difference;
  }

  /** Goes over to what other settings say of one service, and leaves everything else as it is. */
  async renew(name: string, config: Config): Promise<Difference> {
    this.#learnSecrets(config);
    return this.#goOverTo(withRenewed(this.#declared, await this.#declare(config), name));
  }

  /** Shows what there is to see now. */
  look(): void {
    this.#assistant?.look();
  }

  /** A text for people without the secrets in it. */
  hide(text: string): string {
    return this.#hide(text);
  }

  /** Puts a typed question to the voice cloud; see Voice.say. */
  say(
    text: string,
    onSentence: (text: string) => void,
    signal: AbortSignal,
  ): Promise<{ sentences: readonly string[] }> {
    if (!this.#assistant) return Promise.reject(new Fault('VOICE_OFF', 'voice is not set up'));
    return this.#assistant.say(text, onSentence, signal);
  }

  /** What is counted since the start. */
  get counters(): Readonly<Record<string, number>> {
    return { ...this.kit.counters, ...this.#assistant?.counters() };
  }

  async #declare(config: Config): Promise<readonly Declaration[]> {
    const tools = declareServices(config, this.kit);
    if (!this.#assistant && !isWanted(config.settings)) return tools;
    // An appliance that nobody speaks to loads none of it.
    const { openAssistant } = await import('./assistant/open.ts');
    this.#assistant ??= await openAssistant(config.settings, this.kit, {
      parts: () => this.supervisor.parts(),
      release: () => this.releases ?? NO_RELEASE,
    });
    return [...tools, ...this.#assistant.declare(config.settings)];
  }

  #learnSecrets(config: Config): void {
    for (const secret of secretsOf(config)) this.#secrets.add(secret); // an old key is still a key
    this.#hide = redactor([...this.#secrets, ...this.#learned]);
  }

  async #goOverTo(declared: readonly Declaration[]): Promise<Difference> {
    const before = this.#declared;
    this.#declared = declared;
    const difference = await applyDifference(before, declared, this.supervisor, this.kit.router);
    this.log.info('reloaded', { ...difference });
    return difference;
  }

  /**
   * A server that the supervisor has no hope for offers no tools until it is ready again. One on probation is not:
   * listing it at each try would cost the cloud its line at each death.
   */
  #followStates(): void {
    this.#assistant?.look();
    for (const { name, kind, state } of this.supervisor.parts()) {
      if (kind !== 'server') continue;
      if (state === 'failed') this.kit.router.withdraw(name);
      if (state === 'ready') this.kit.router.restore(name);
    }
  }
}

/** A line for stderr: with journald's priority before it where stderr is the journal. */
export function lineFor(environment: Environment): (line: string, level: Level) => string {
  const isJournal = Boolean(environment.variables.JOURNAL_STREAM);
  return (line, level) => (isJournal ? `<${PRIORITY[level]}>${line}\n` : `${line}\n`);
}

/** Last words of a process that must not go on: through the log, since Node's own would print whatever the error holds. */
export function dieLogged(log: Log, exit: (code: number) => void): void {
  const die = (event: string) => (error: unknown) => {
    log.error(event, { message: messageOf(error), errno: errnoOf(error), stack: stackOf(error) });
    exit(1);
  };
  process.on('uncaughtException', die('crash'));
  process.on('unhandledRejection', die('crash'));
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack?.split('\n').slice(1, 8).join('\n') : undefined;
}
