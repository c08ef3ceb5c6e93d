import { createEnvelopeReader, type Envelope, has, replaceSpan } from '../envelope.ts';
import { errorMessage, INVALID_REQUEST, notificationMessage } from '../jsonrpc.ts';
import { answerTo } from '../server-requests.ts';
import type { Upstream } from '../upstream.ts';

/** A target may wait for so many answers of the host at once. */
const MAX_OPEN = 256;

interface Question {
  readonly upstream: Upstream;
  /** The id of the target as JSON text. */
  readonly id: string;
}

/**
 * What the target asks of the host (sampling, elicitation, roots): passed on under an id of ours, since each life of the
 * target counts anew, and the answer under the id that it came with.
 */
export class Questions {
  readonly #send: (message: Buffer | string) => void;
  readonly #open = new Map<number, Question>();
  #lastId = 0;

  constructor(send: (message: Buffer | string) => void) {
    this.#send = send;
  }

  /** A request of the target. A ping is for us. */
  ask(upstream: Upstream, message: Buffer, envelope: Envelope): void {
    const { id, method } = envelope;
    if (message.toString('utf8', method.start, method.end) === '"ping"') {
      upstream.pass(answerTo(message, envelope));
      return;
    }
    const theirs = message.toString('utf8', id.start, id.end);
    if (this.#open.size >= MAX_OPEN) {
      upstream.pass(errorMessage(theirs, INVALID_REQUEST, `${MAX_OPEN} requests wait for an answer already`));
      return;
    }
    const own = ++this.#lastId;
    this.#open.set(own, { upstream, id: theirs });
    this.#send(replaceSpan(message, id, String(own)));
  }

  /** An answer of the host; one that nobody waits for is dropped. */
  answered(message: Buffer): void {
    const envelope = createEnvelopeReader().read(message);
    if (!envelope || !has(envelope.id)) return;
    const own = Number(message.toString('utf8', envelope.id.start, envelope.id.end));
    const question = this.#open.get(own);
    if (!question) return;
    this.#open.delete(own);
    question.upstream.pass(replaceSpan(message, envelope.id, question.id));
  }

  /** The target wants no answer any more: the id in its notification becomes ours. */
  cancelled(message: Buffer): void {
    const { params } = JSON.parse(message.toString()) as { params?: { requestId?: unknown } };
    const theirs = JSON.stringify(params?.requestId);
    for (const [own, { id }] of this.#open) {
      if (id !== theirs) continue;
      this.#open.delete(own);
      this.#send(notificationMessage('notifications/cancelled', { ...params, requestId: own }));
    }
  }

  /** A life of the target is over: nobody waits for what it asked. */
  ended(upstream: Upstream, reason: string): void {
    for (const [requestId, question] of this.#open) {
      if (question.upstream !== upstream) continue;
      this.#open.delete(requestId);
      this.#send(notificationMessage('notifications/cancelled', { requestId, reason }));
    }
  }
}
