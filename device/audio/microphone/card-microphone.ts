import { messageOf } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { Capture, Ear } from './capture.ts';
import type { Listener, Microphone } from './microphone.ts';

/**
 * CardMicrophone: the microphone that everybody holds, made once. Whoever listens goes on listening while captures come
 * and go below it (microphone-service.ts).
 */
export class CardMicrophone implements Microphone, Ear {
  readonly #log: Log;
  /** Each with an identity of its own: one function may listen twice. */
  readonly #listeners = new Set<{ readonly listener: Listener }>();
  #muted = false;
  #capture: Capture | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  get muted(): boolean {
    return this.#muted;
  }

  get capturing(): boolean {
    return this.#capture?.capturing ?? false;
  }

  /** Somebody listens. */
  get wanted(): boolean {
    return this.#listeners.size > 0;
  }

  listen(listener: Listener): Disposable {
    const entry = { listener };
    this.#listeners.add(entry);
    this.#capture?.update();
    return {
      [Symbol.dispose]: () => {
        if (this.#listeners.delete(entry)) this.#capture?.update();
      },
    };
  }

  mute(on: boolean): void {
    if (this.#muted === on) return;
    this.#muted = on;
    this.#log.info(on ? 'muted' : 'unmuted');
    this.#capture?.update();
  }

  /** The capture that serves from now on, and is told who listens. The last one has to be over. */
  attach(capture: Capture): void {
    this.#capture = capture;
  }

  /** From the capture: hands a chunk to everybody. A listener that throws is a slip of ours, and is let go. */
  hear(chunk: Int16Array, at: number): void {
    for (const entry of [...this.#listeners]) {
      // A listener before this one may have muted, or taken this one away.
      if (this.#muted || !this.#listeners.has(entry)) continue;
      try {
        entry.listener(chunk, at);
      } catch (error) {
        this.#log.error('listener_failed', { error: messageOf(error) });
        this.#listeners.delete(entry);
        this.#capture?.update();
      }
    }
  }
}
