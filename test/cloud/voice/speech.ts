/** Samples in a second of what the cloud hears, and of what it says (cloud protocol 2.6). */
export const HEARD_HZ = 16_000;
export const SAID_HZ = 24_000;

/** Speech: how the bench cloud understands sound and makes it. */
export interface Speech {
  /** What an encoder has to take the answers for. Default voice. */
  readonly signal?: 'voice' | 'music';
  /** A spoken question, as a person in the room would say it: 16 kHz mono. For who speaks into the bench microphone. */
  question(text: string): Promise<Int16Array>;
  /** The words in what was heard, or `undefined` where there are none. */
  understand(heard: Int16Array): Promise<string | undefined>;
  /** An answer as sound, 24 kHz mono. */
  say(text: string): Promise<Int16Array>;
  /**
   * What a recording of the speaker (any rate) says, so that the bench can tell a whole answer from a cut one:
   * `undefined` where it is no answer at all.
   */
  recognise(played: Int16Array, rateHz: number): Promise<string | undefined>;
}
