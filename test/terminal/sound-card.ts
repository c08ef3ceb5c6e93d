/** SoundCard: a microphone and a speaker in one silent room, made of files, in real time. */
export interface SoundCard extends AsyncDisposable {
  /** For whoever starts recorders and players: PATH or ALSA_CONFIG_PATH, and what the card itself reads. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of the two devices, for audio.microphone and audio.speaker. */
  readonly microphone: string;
  readonly speaker: string;
  /**
   * Sounds in the room from now on (or from `at`), for whoever records then: 16 kHz mono. Times are ms of CLOCK_MONOTONIC,
   * as process.hrtime and the card have it.
   */
  speak(pcm: Int16Array, at?: number): { readonly from: number; readonly to: number };
  /** What left the speaker between two times, silence included: 48 kHz mono. */
  played(from: number, to: number): Int16Array;
  /** What happened on the card so far. */
  events(): readonly SoundEvent[];
}

export interface SoundEvent {
  readonly at: number;
  readonly side: 'microphone' | 'speaker';
  readonly what: 'start' | 'stop' | 'xrun';
}
