import type { AudioVersion } from './audio-frame.ts';
import { complaintsOfHello, type Fields, helloReply } from './hello.ts';
import type { SessionEvent } from './voice-event.ts';
import type { VoiceFaults } from './voice-faults.ts';

export interface GreetingLine {
  readonly version: AudioVersion;
  readonly faults: VoiceFaults;
  /** '': the appliance is told of none. */
  readonly id: string;
  send(frame: string): void;
  complain(why: string): void;
}

export interface VoiceGreetingOptions {
  readonly line: GreetingLine;
  readonly selfHosted: boolean;
  readonly mcp: 'before' | 'after' | 'never';
  readonly pause: (ms: number) => Promise<void>;
  readonly onEvent: (event: SessionEvent) => void;
  readonly meetTools: () => void;
  /** The reply has gone out. */
  readonly onAnswered: () => void;
}

/** VoiceGreeting: the hello of a session and its answer, with what can go wrong with both (cloud protocol 2.2). */
export class VoiceGreeting {
  /** The reply to the hello has gone out. */
  answered = false;
  readonly #options: VoiceGreetingOptions;
  #hellos = 0;

  constructor(options: VoiceGreetingOptions) {
    this.#options = options;
  }

  take(hello: Fields): void {
    const { line, mcp, meetTools, onEvent, pause } = this.#options;
    onEvent({ event: 'hello', hello });
    if (++this.#hellos > 2) line.complain(`${this.#hellos} hellos`);
    else if (this.answered) line.complain('a hello after the hello was answered');
    for (const why of complaintsOfHello(hello, line.version)) line.complain(why);
    const { hello: fault, helloDelayMs } = line.faults;
    // One answer is enough, to whichever hello.
    if (fault === 'never' || this.#hellos !== (fault === 'dropped' ? 2 : 1)) return;
    if (mcp === 'before') meetTools();
    if (helloDelayMs === undefined) this.#answer(hello);
    else {
      pause(helloDelayMs).then(
        () => this.#answer(hello),
        () => undefined, // the session has ended meanwhile
      );
    }
  }

  /** Complains of a message that comes too early, or for another session. */
  judge({ type, session_id = '' }: Fields): void {
    const { line, mcp } = this.#options;
    // What was asked before the reply may be answered without the id that the reply brought.
    const tooEarlyToKnow = mcp === 'before' && type === 'mcp' && session_id === '';
    if (this.#hellos === 0) line.complain(`${type} before the hello`);
    else if (!this.answered && type !== 'mcp') line.complain(`${type} before the hello was answered`);
    else if (session_id !== (this.answered ? line.id : '') && !tooEarlyToKnow) {
      line.complain(`${type} with session_id ${JSON.stringify(session_id)}`);
    }
  }

  #answer(hello: Fields): void {
    const { line, selfHosted, mcp, meetTools, onEvent, onAnswered } = this.#options;
    const reply = JSON.stringify(helloReply(hello, line.id === '' ? undefined : line.id, selfHosted));
    this.answered = true;
    line.send(reply);
    if (line.faults.hello === 'twice') line.send(reply);
    onEvent({ event: 'hello-reply' });
    if (mcp === 'after') meetTools();
    onAnswered();
  }
}
