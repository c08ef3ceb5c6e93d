import { type Payload, parsePayload, plainText } from './payload.ts';

/** Versions of the link that this program speaks. */
const PROTO = { min: 1, max: 1 } as const;

/** What the terminal says of itself in HELLO_ACK, checked. */
export interface Greeting {
  readonly proto: number;
  readonly model: string;
  readonly fw: string;
  /** New with each boot of the terminal: what was said to it before is forgotten there. */
  readonly bootId: string;
  /** What it can do. `gestures`: it reports click, double and long itself. */
  readonly caps: readonly string[];
}

/** `host` names this life of the program: a terminal that hears a new one forgets the numbers of the old one. */
export function helloOf(host: string): Payload {
  return { proto_min: PROTO.min, proto_max: PROTO.max, host, enc: ['json'] };
}

/** Reads a HELLO_ACK; `undefined` where it is none. */
export function parseGreeting(bytes: Uint8Array): Greeting | undefined {
  const said = parsePayload(bytes);
  if (said === undefined) return undefined;
  const { proto, boot_id: bootId, caps } = said;
  if (typeof proto !== 'number' || typeof bootId !== 'string' || bootId === '') return undefined;
  return {
    proto,
    model: plainText(said.model),
    fw: plainText(said.fw),
    bootId,
    caps: Array.isArray(caps) ? caps.filter((cap) => typeof cap === 'string').slice(0, 32) : [],
  };
}

/** The terminal chose a version that we speak. */
export function isSpoken({ proto }: Greeting): boolean {
  return proto >= PROTO.min && proto <= PROTO.max;
}
