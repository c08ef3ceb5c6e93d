import type { Id, Message } from './message.ts';

interface Asked {
  givenUp: boolean;
  readonly resolve: (reply: Message) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Requests in flight on one connection. Ids are kept apart by type (1 is not "1") and may be in use twice, as robots
 * of a self-hosted cloud do it (cloud protocol 1.4): the older request gets the first answer.
 */
export class Pending {
  readonly #asked = new Map<string, Asked[]>();

  /** Resolves with the answer to `id`; rejects with `late` after `ms`, or when the line ends before. */
  wait(id: Id, ms: number, late: Error): Promise<Message> {
    const key = JSON.stringify(id);
    return new Promise((resolve, reject) => {
      // Who gave up stays in the list, so that the late answer is not taken for one to nothing.
      const timer = setTimeout(() => {
        asked.givenUp = true;
        reject(late);
      }, ms);
      const asked: Asked = {
        givenUp: false,
        resolve: (reply) => {
          clearTimeout(timer);
          resolve(reply);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#asked.set(key, [...(this.#asked.get(key) ?? []), asked]);
    });
  }

  /** Hands an answer to whoever asked for it; false where nobody did. */
  answer(reply: Message): boolean {
    const key = JSON.stringify(reply.id);
    const all = this.#asked.get(key) ?? [];
    const first = all.find((asked) => !asked.givenUp) ?? all[0];
    if (first === undefined) return false;
    const rest = all.filter((asked) => asked !== first);
    if (rest.length === 0) this.#asked.delete(key);
    else this.#asked.set(key, rest);
    first.resolve(reply);
    return true;
  }

  end(why: string): void {
    const all = [...this.#asked.values()].flat();
    this.#asked.clear();
    for (const asked of all) asked.reject(new Error(`no answer came: ${why}`));
  }
}
