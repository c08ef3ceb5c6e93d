import type { Call, Caller } from '../call.ts';
import { createEnvelopeReader, type Envelope, has, type Splice } from '../envelope.ts';
import type { Slot } from '../slot.ts';
import type { Upstream } from '../upstream.ts';

const NONE: readonly Splice[] = [];

/**
 * Sends a request on to the target, with `args` in the place of its arguments where they are given; while the target
 * starts again the request waits a little for it.
 */
export function passOn(slot: Slot, call: Call, message: Buffer, envelope: Envelope, args?: Buffer): void {
  if (slot.upstream) {
    send(slot.upstream, call, message, envelope, args);
    return;
  }
  slot.hold(call, message.length, (upstream) =>
    send(upstream, call, message, createEnvelopeReader().read(message) as Envelope, args),
  );
}

/** The host wants no answer to its request `id` any more, which is JSON text as JSON.stringify writes it. */
export function cancelIn(slot: Slot, caller: Caller, id: string, reason: string): void {
  slot.cancel(
    (call) => call.caller === caller && (call.id === id || JSON.stringify(JSON.parse(call.id)) === id),
    reason,
  );
}

function send(
  upstream: Upstream,
  call: Call,
  message: Buffer,
  envelope: Envelope,
  args: Buffer | undefined,
): void {
  if (args === undefined && call.progressToken === undefined) {
    upstream.forward(call, message, envelope.id, NONE);
    return;
  }
  const splices: Splice[] = [];
  if (args !== undefined) splices.push([envelope.arguments, args]);
  if (call.progressToken !== undefined && has(envelope.meta)) {
    const { start, end } = envelope.meta;
    const meta = JSON.parse(message.toString('utf8', start, end)) as object;
    const ours = { ...meta, progressToken: upstream.nextId };
    splices.push([envelope.meta, Buffer.from(JSON.stringify(ours))]);
  }
  upstream.forward(call, message, envelope.id, splices);
}
