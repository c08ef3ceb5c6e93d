import { type Clock, within } from '#kernel/clock.ts';
import type { Call, Caller, Counters } from './call.ts';
import { isSameId } from './call-parts.ts';
import type { ToolChoice } from './choice.ts';
import { createEnvelopeReader, type Envelope, type Splice } from './envelope.ts';
import type { NameRules } from './names.ts';
import { type Refusal, Slot } from './slot.ts';
import { createTable, type Route, type Table } from './table.ts';
import { type AsyncRules, allowsTasks } from './tasks/rules.ts';
import type { Tool } from './tool.ts';
import type { Upstream } from './upstream.ts';

export interface RouterOptions {
  readonly clock: Clock;
  readonly counters: Counters;
  readonly prefix: NameRules['prefix'];
  /** How long a call waits for the next run of its server, in ms (2,000 by default). */
  readonly holdMs: number;
}

/** Router: who owns which tool. It knows the servers by their slots; who calls is told apart by Caller. */
export class Router {
  #options: RouterOptions;
  #slots = new Map<string, Slot>();
  /** Counts the changes of the tools. */
  #version = 0;
  readonly #listeners = new Set<() => void>();
  #listWaiters: (() => void)[] = [];

  constructor(options: RouterOptions) {
    this.#options = options;
  }

  /** Makes room for a server. The order of declaration is the order of the tools. */
  declare(name: string, known: readonly Tool[] | undefined, rules?: AsyncRules): void {
    this.#slots.set(name, new Slot(name, known, this.#options, rules));
    this.#changed();
  }

  /** Which tools of a declared server are offered, and under which names. */
  choose(name: string, choice: ToolChoice): void {
    const slot = this.#slots.get(name);
    if (!slot) return;
    slot.choice = choice;
    this.#changed();
  }

  remove(name: string): void {
    this.#slots.get(name)?.giveUp();
    this.#slots.delete(name);
    this.#changed();
  }

  /** The order of the settings, after a reload. */
  arrange(names: readonly string[]): void {
    const place = (name: string) => (names.indexOf(name) + names.length + 1) % (names.length + 1);
    this.#slots = new Map([...this.#slots].sort(([a], [b]) => place(a) - place(b)));
    this.#changed();
  }

  /** A run of a server serves, with these tools. */
  serve(name: string, upstream: Upstream, tools: readonly Tool[]): void {
    this.#slots.get(name)?.serve(upstream);
    this.update(name, tools);
  }

  /** The tools of a server are these now. */
  update(name: string, tools: readonly Tool[]): void {
    const slot = this.#slots.get(name);
    if (!slot) return;
    const same = JSON.stringify(slot.tools) === JSON.stringify(tools);
    slot.awaited = false;
    slot.tools = tools;
    if (same) this.#wakeLists();
    else this.#changed();
  }

  /** The run of a server is over; its tools stay, since another run is to follow. */
  rest(name: string, upstream: Upstream): void {
    const slot = this.#slots.get(name);
    if (slot?.upstream === upstream) slot.upstream = undefined;
  }

  /** A server cannot be reached: until it serves again, calls are told so at once. Its tools stay listed. */
  refuse(name: string, refusal: Refusal): void {
    this.#slots.get(name)?.refuse(refusal);
  }

  /**
   * Nobody may rely on the server: its tools leave the list until `restore`, however often it is tried meanwhile, since
   * each swing of the list costs the cloud its line. Calls are refused at once while no run serves.
   */
  withdraw(name: string): void {
    const slot = this.#slots.get(name);
    if (!slot || slot.withdrawn) return;
    slot.withdrawn = true;
    slot.giveUp();
    this.#changed();
  }

  /** The server has proved itself: its tools are listed again. */
  restore(name: string): void {
    const slot = this.#slots.get(name);
    if (!slot?.withdrawn) return;
    slot.withdrawn = false;
    this.#changed();
  }

  /** Other rules for names and holds, after a reload. */
  configure(options: Pick<RouterOptions, 'prefix' | 'holdMs'>): void {
    this.#options = { ...this.#options, ...options };
    for (const slot of this.#slots.values()) slot.holdMs = options.holdMs;
    this.#changed();
  }

  /** All tools, or those of one server, under names of at most `limit` characters, as they are now. */
  table(limit: number, only?: string): Table {
    return this.view(limit, only)();
  }

  /** The same for who asks again and again: the table is made anew only when the tools changed. */
  view(limit: number, only?: string): () => Table {
    let table: Table | undefined;
    let version = -1;
    return () => {
      if (table === undefined || version !== this.#version) {
        const slots = [...this.#slots.values()].filter((slot) => only === undefined || slot.name === only);
        table = createTable(slots, { prefix: this.#options.prefix, limit });
        version = this.#version;
      }
      return table;
    };
  }

  /** Resolves when the list of every server is known or not to be expected, or after `ms`: a list never waits longer. */
  async listed(ms: number): Promise<void> {
    if (this.#isListed()) return;
    await within(this.#options.clock, ms, new Promise<void>((resolve) => this.#listWaiters.push(resolve)));
    // Who kept a list waiting once does not keep the next one waiting.
    for (const slot of this.#slots.values()) slot.awaited = false;
    this.#wakeLists();
  }

  /**
   * Sends a call to its server; the message is read again where it has to wait. The id goes back as it came; `args`
   * stand in the place of arguments that are no object.
   */
  call(call: Call, route: Route, message: Buffer, envelope: Envelope, args?: Buffer): void {
    this.#options.counters.calls++;
    const { slot } = route;
    if (slot.upstream) {
      const token = call.progressToken === undefined ? undefined : slot.upstream.nextId;
      slot.upstream.forward(call, message, envelope.id, splicesFor(route, message, envelope, args, token));
      return;
    }
    slot.hold(call, message.length, (upstream) => {
      const again = createEnvelopeReader().read(message) as Envelope;
      const token = call.progressToken === undefined ? undefined : upstream.nextId;
      upstream.forward(call, message, again.id, splicesFor(route, message, again, args, token));
    });
  }

  /** `id` as JSON.stringify writes it; the call's own may be spelt otherwise. */
  cancel(caller: Caller, id: string, reason: string): void {
    const isMeant = (call: Call) => call.caller === caller && isSameId(call.id, id);
    for (const slot of this.#slots.values()) slot.cancel(isMeant, reason);
  }

  /** The caller is gone: its calls are cancelled, whether they run or wait. */
  drop(caller: Caller, reason: string): void {
    for (const slot of this.#slots.values()) slot.cancel((call) => call.caller === caller, reason);
  }

  /** How many calls of a caller are under way. */
  inFlight(caller: Caller): number {
    let count = 0;
    for (const slot of this.#slots.values()) count += slot.count((call) => call.caller === caller);
    return count;
  }

  /** Calls of some server, or of this one, can become tasks. */
  offersTasks(only?: string): boolean {
    for (const { name, rules } of this.#slots.values())
      if (rules !== undefined && (only === undefined || name === only) && allowsTasks(rules)) return true;
    return false;
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  /** A call of anybody is under way. */
  get isBusy(): boolean {
    for (const slot of this.#slots.values()) if (slot.count(() => true) > 0) return true;
    return false;
  }

  /** Calls `listener` whenever tools came, went or changed. Disposing ends that. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #isListed(): boolean {
    for (const slot of this.#slots.values()) if (slot.awaited && !slot.withdrawn) return false;
    return true;
  }

  #changed(): void {
    this.#version++;
    this.#wakeLists();
    for (const listener of this.#listeners) listener();
  }

  #wakeLists(): void {
    if (!this.#isListed()) return;
    const waiters = this.#listWaiters;
    this.#listWaiters = [];
    for (const wake of waiters) wake();
  }
}

/** What differs between the call as it came and as its server is to get it: for most calls nothing but the id. */
function splicesFor(
  { tool, shown }: Route,
  message: Buffer,
  envelope: Envelope,
  args: Buffer | undefined,
  token: number | undefined,
): readonly Splice[] {
  const isPlain = tool.name === shown && envelope.name.end - envelope.name.start === shown.length + 2;
  if (args === undefined && isPlain && token === undefined) return NONE;
  const splices: Splice[] = [[envelope.name, Buffer.from(JSON.stringify(tool.name))]];
  if (args !== undefined) splices.push([envelope.arguments, args]);
  if (token !== undefined) splices.push(tokenSplice(message, envelope, token));
  return splices;
}

const NONE: readonly Splice[] = [];

/** The call's `_meta` with our token in the place of the caller's; one of our own where it has none. */
function tokenSplice(message: Buffer, { meta, params }: Envelope, token: number): Splice {
  if (meta.start < 0) {
    const at = params.start + 1; // behind the brace; the tool's name follows somewhere
    return [{ start: at, end: at }, Buffer.from(`"_meta":{"progressToken":${token}},`)];
  }
  const own = JSON.parse(message.toString('utf8', meta.start, meta.end)) as object | null;
  return [meta, Buffer.from(JSON.stringify({ ...own, progressToken: token }))];
}
