import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Ending, Health, Run } from '#kernel/service.ts';
import { eventOf, type TerminalBox } from './box.ts';
import type { ButtonTiming } from './buttons.ts';
import { Hands } from './gestures.ts';
import type { Greeting } from './greeting.ts';
import { ledOf } from './light.ts';
import { TerminalLink } from './link.ts';
import type { LinkCounts } from './link-options.ts';
import { COMMAND, type Message } from './message.ts';
import type { Payload } from './payload.ts';
import type { Port } from './port.ts';
import type { Panel } from './terminal.ts';
import type { LinkTiming } from './timing.ts';

export interface RunOptions {
  readonly terminal: TerminalBox;
  readonly clock: Clock;
  readonly log: Log;
  readonly timing: LinkTiming;
  readonly buttons: ButtonTiming;
}

/** A terminal that was last heard longer ago than this part of a heartbeat has missed one. */
const LATE = 1.5;

/** TerminalRun: one opened port with the link over it. Ends when the port is lost or the terminal is silent. */
export class TerminalRun implements Run {
  readonly ended: Promise<Ending>;
  /** Resolves at the first HELLO_ACK. */
  readonly greeted: Promise<void>;
  readonly #port: Port;
  readonly #options: RunOptions;
  readonly #link: TerminalLink;
  readonly #hands: Hands;
  #greeting: Greeting | undefined;
  /** A mute was told after the state was asked for: the answer may be one of before, sent again. */
  #isAnswerOld = false;
  #onGreeted: () => void = () => {};
  #onEnded: (ending: Ending) => void = () => {};

  constructor(port: Port, options: RunOptions) {
    this.#port = port;
    this.#options = options;
    const { clock, timing, terminal, buttons } = options;
    this.greeted = new Promise((resolve) => {
      this.#onGreeted = resolve;
    });
    this.ended = new Promise((resolve) => {
      this.#onEnded = resolve;
    });
    this.#hands = new Hands({ clock, timing: buttons, onEvent: (event) => terminal.tell(event) });
    this.#link = new TerminalLink({
      clock,
      timing,
      memory: terminal.memory,
      write: (bytes) => port.write(bytes),
      onUp: (greeting, rebooted) => this.#up(greeting, rebooted),
      onDown: (reason) => this.#down(reason),
      onMessage: (message, at) => this.#message(message, at),
      onReply: (type, reply) => this.#reply(type, reply),
      onEnd: (code, reason) => this.#end({ asked: false, code, reason }),
    });
    port.onBytes = (bytes) => this.#link.receive(bytes);
    void port.ended.then((ending) => this.#end(ending));
  }

  health(): Health {
    const { clock, timing, terminal } = this.#options;
    const agoMs = clock.now() - this.#link.heardAt;
    const { model = '', fw = '' } = this.#greeting ?? {};
    const proof = { what: 'frame', at: clock.wall() - Math.round(agoMs) };
    if (!this.#link.isUp || agoMs > timing.pingMs * LATE) {
      const reason = `no answer for ${Math.round(agoMs)} ms`;
      return { state: 'degraded', code: 'TERMINAL_SILENT', reason, proof };
    }
    const reason = `${model} ${fw}${terminal.muted ? ', microphone off' : ''}`;
    return { state: 'ready', reason, proof, ...(terminal.muted && { code: 'MUTED' }) };
  }

  get counts(): LinkCounts {
    return this.#link.counts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end({ asked: true, reason: 'closed' });
    await this.#port[Symbol.asyncDispose]();
  }

  #up(greeting: Greeting, rebooted: boolean): void {
    const { terminal, log } = this.#options;
    const { model, fw, caps } = greeting;
    this.#greeting = greeting;
    this.#hands.believes = caps.includes('gestures');
    log.info('linked', { model, fw, rebooted });
    terminal.join(model, (change) => this.#show(change));
    // The switch may have been set while nobody listened.
    this.#askState();
    this.#onGreeted();
  }

  #down(reason: string): void {
    this.#options.log.info('unlinked', { reason, ...this.#link.counts });
    this.#hands.forget(); // the release may be lost with the link, and a press that hangs would hide the next one
    this.#options.terminal.leave();
  }

  #show({ light, brightness, volume, mute }: Partial<Panel>): void {
    const { panel } = this.#options.terminal;
    if (light !== undefined || brightness !== undefined) {
      this.#link.put(COMMAND.led, { ...ledOf(panel.light, panel.brightness) });
    }
    if (volume !== undefined) this.#link.put(COMMAND.volume, { level: volume });
    if (mute !== undefined) this.#link.put(COMMAND.mute, { on: mute });
  }

  #message(message: Message, at: number): void {
    const { terminal } = this.#options;
    if (message.kind === 'button') this.#hands.take(message, at);
    else if (message.kind === 'mute') {
      this.#isAnswerOld = true;
      terminal.mutesAre({ [message.source]: message.on }, at);
    } else terminal.tell(eventOf(message, at));
  }

  #reply(type: number, reply: Payload): void {
    if (reply.err !== undefined) this.#options.log.warn('command_refused', { type, err: reply.err });
    if (type !== COMMAND.getState) return;
    if (this.#isAnswerOld) this.#askState();
    else this.#learnState(reply);
  }

  #askState(): void {
    this.#isAnswerOld = false;
    this.#link.put(COMMAND.getState, {});
  }

  /** What the answer leaves out cannot be on where the terminal has no mute of its own: another one may have had it. */
  #learnState({ ok, mute_hw: hw, mute_sw: sw }: Payload): void {
    const { terminal, clock } = this.#options;
    const hasNone = ok === true && this.#greeting?.caps.includes('mute') === false;
    terminal.mutesAre(
      {
        ...(hasNone && { hw: false, sw: false }),
        ...(typeof hw === 'boolean' && { hw }),
        ...(typeof sw === 'boolean' && { sw }),
      },
      clock.now(),
    );
  }

  #end(ending: Ending): void {
    this.#link[Symbol.dispose]();
    this.#hands[Symbol.dispose]();
    this.#options.terminal.leave();
    this.#onEnded(ending);
  }
}
