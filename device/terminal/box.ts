import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { LinkMemory } from './link-options.ts';
import type { Message } from './message.ts';
import type { Panel, Terminal, TerminalEvent } from './terminal.ts';

export interface BoxOptions {
  readonly clock: Clock;
  /** Tells this life of the program from the one before; half of it is enough. */
  readonly random: () => number;
  readonly log: Log;
  /** What the terminal shows until somebody says otherwise. */
  readonly panel: Panel;
  /** The switch was on when it was last heard of, in a life of the program before this one. Default false. */
  readonly muted?: boolean;
}

type Mutes = Readonly<Record<'hw' | 'sw', boolean>>;

/** Where a change of the panel goes while a link is up. */
export type Shower = (change: Partial<Panel>) => void;

/**
 * TerminalBox: the terminal as it is known across every link. One for the life of the appliance; the runs of the
 * `terminal` service come and go behind it.
 */
export class TerminalBox implements Terminal {
  readonly memory: LinkMemory;
  readonly #options: BoxOptions;
  readonly #listeners = new Set<(event: TerminalEvent) => void>();
  #panel: Panel;
  #model: string | undefined;
  #show: Shower | undefined;
  /** By the last word of the terminal. The switch counts also while the link is down. */
  #mutes: Mutes;

  constructor(options: BoxOptions) {
    this.#options = options;
    this.#panel = options.panel;
    this.#mutes = { hw: options.muted ?? false, sw: false };
    const life = Math.floor(options.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
    this.memory = { host: `aivoice-${life}`, bootId: undefined, heardSeq: undefined, sentSeq: 0 };
  }

  onEvent(listener: (event: TerminalEvent) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  show(change: Partial<Panel>): void {
    const differing = Object.entries(change).filter(
      ([key, value]) => this.#panel[key as keyof Panel] !== value,
    );
    if (differing.length === 0) return;
    const news: Partial<Panel> = Object.fromEntries(differing);
    this.#panel = { ...this.#panel, ...news };
    this.#show?.(news);
  }

  get linked(): boolean {
    return this.#show !== undefined;
  }

  get muted(): boolean {
    return this.#mutes.hw || this.#mutes.sw;
  }

  get model(): string | undefined {
    return this.#model;
  }

  get panel(): Panel {
    return this.#panel;
  }

  /** A run has greeted the terminal: it gets the whole panel now, and each change from here on. */
  join(model: string, show: Shower): void {
    this.#model = model;
    this.#show = show;
    show(this.#panel);
    this.tell({ kind: 'linked', at: this.#options.clock.now() });
  }

  /** The link is down. A mute that was on stays on: nobody can tell that the switch was set back. */
  leave(): void {
    if (this.#show === undefined) return;
    this.#show = undefined;
    this.tell({ kind: 'lost', at: this.#options.clock.now() });
  }

  /** What the terminal says of its switch (`hw`) and its mute button (`sw`), both at a time where it tells both. */
  mutesAre(news: Partial<Mutes>, at: number): void {
    const before = this.muted;
    this.#mutes = { ...this.#mutes, ...news };
    if (this.muted !== before) this.tell({ kind: 'mute', on: this.muted, at });
  }

  /** To everybody, in order; one who throws keeps nothing from the others. */
  tell(event: TerminalEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#options.log.error('listener_failed', { event: event.kind, error });
      }
    }
  }
}

/** What a message of the terminal means beyond buttons and mute, which have a memory. */
export function eventOf(message: Exclude<Message, { kind: 'button' | 'mute' }>, at: number): TerminalEvent {
  return { ...message, at };
}
