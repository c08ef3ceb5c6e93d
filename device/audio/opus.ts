/** Encodes 60 ms at a time (960 samples of 16 kHz): a self-hosted cloud decodes no longer frames (cloud protocol 2.6). */
export interface OpusEncoder extends Disposable {
  encode(frame: Int16Array): Uint8Array;
}

/** Decodes to the rate that it was made for, whatever the encoder had. */
export interface OpusDecoder extends Disposable {
  /** Throws a Fault (AUDIO_PACKET) for what is no Opus packet or longer than 120 ms. */
  decode(packet: Uint8Array): Int16Array;
  /** Fills a gap with what plausibly went on. */
  conceal(ms: number): Int16Array;
  /** Forgets the last utterance. */
  reset(): void;
}

/** OpusCodec: where encoders and decoders come from; another library goes behind the same face. */
export interface OpusCodec {
  encoder(): OpusEncoder;
  decoder(rateHz: number): OpusDecoder;
}
