/** The times of the terminal link, in ms (terminal link 1). Only tests use others. */
export interface LinkTiming {
  /** Between two HELLOs while no HELLO_ACK came. */
  readonly helloMs: number;
  /** A frame unacknowledged for so long is sent again; each further wait is twice as long. */
  readonly ackMs: number;
  /** So often a frame is sent before the link is down. */
  readonly tries: number;
  /** A line on which nothing was sent, or nothing came, for so long gets a PING. */
  readonly pingMs: number;
  /** So many times `pingMs` without a good frame, and the terminal is silent. */
  readonly misses: number;
  /** Bytes that the port has not taken after it mean that it is gone. */
  readonly writeMs: number;
  /** How often the stable name of an open port is looked at. */
  readonly watchMs: number;
  /** How often a port that is missing is looked for. */
  readonly findMs: number;
  /** A start that looks for a missing port gives up after it. */
  readonly waitMs: number;
  /** Opening and closing a port each take so long at most. */
  readonly openMs: number;
}

export const TIMING: LinkTiming = {
  helloMs: 500,
  ackMs: 100,
  tries: 4,
  pingMs: 2000,
  misses: 3,
  writeMs: 2000,
  watchMs: 1000,
  findMs: 500,
  waitMs: 30_000,
  openMs: 3000,
};
