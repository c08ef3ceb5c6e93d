/** What a voice session dropped, and why: for status, so that a cloud that speaks otherwise is seen and not guessed. */
export interface SessionCounters {
  /** Texts that are not JSON, or no object. */
  notJson: number;
  /** Messages of a known type that lack a part or have it of another kind. */
  malformed: number;
  /** Messages of a type, or a `tts` state, that we do not know (cloud protocol 2.4: to be ignored). */
  unknown: number;
  /** Texts above 64 KiB. */
  tooLong: number;
  /** Binary messages that no packet could be taken from. */
  badAudio: number;
  /** What came faster than it was taken. */
  overflow: number;
  /** Packets of ours that were too large to send. */
  badSent: number;
}

export function createSessionCounters(): SessionCounters {
  return { notJson: 0, malformed: 0, unknown: 0, tooLong: 0, badAudio: 0, overflow: 0, badSent: 0 };
}
