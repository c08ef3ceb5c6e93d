import type { Call, Caller } from '../call.ts';
import { isSameId } from '../call-parts.ts';
import { createEnvelopeReader, type Envelope, has, type Splice } from '../envelope.ts';
import type { Slot } from '../slot.ts';
import type { Upstream } from '../upstream.ts';

const NONE: readonly Splice[] = [];

/** Sends a request on to the target; while that starts again the request waits a little for it. */
export function passOn(slot: Slot, call: Call, message: Buffer, envelope: Envelope): void {
  if (slot.upstream) {
    send(slot.upstream, call, message, envelope);
    return;
  }
  slot.hold(call, message.length, (upstream) =>
    send(upstream, call, message, createEnvelopeReader().read(message) as Envelope),
  );
}

/** The host wants no answer to its request `id` any more, which is JSON text as JSON.stringify writes it. */
export function cancelIn(slot: Slot, caller: Caller, id: string, reason: string): void {
  slot.cancel((call) => call.caller === caller && isSameId(call.id, id), reason);
}

function send(upstream: Upstream, call: Call, message: Buffer, envelope: Envelope): void {
  const { id, meta } = envelope;
  if (call.progressToken === undefined || !has(meta)) {
    upstream.forward(call, message, id, NONE);
    return;
  }
  const own = JSON.parse(message.toString('utf8', meta.start, meta.end)) as object;
  const ours = JSON.stringify({ ...own, progressToken: upstream.nextId });
  upstream.forward(call, message, id, [[meta, Buffer.from(ours)]]);
}
