/**
 * The end of a sentence: a mark of East Asia anywhere, one of ours before a blank, or the end of a line. A number that begins
 * a sentence counts it. */
const END = /[。！？]+[」』）]?|(?<!(?:^|\n|[.!?]\s)\s*\d{1,2})[.!?]+["”)]?(?=\s)|\n/g;

/** Sentences: an answer that comes in pieces, cut where a voice takes breath. */
export class Sentences {
  #rest = '';

  /** Takes a piece; the sentences that are whole now. */
  take(piece: string): string[] {
    this.#rest += piece;
    const whole: string[] = [];
    let from = 0;
    for (const { index, 0: mark } of this.#rest.matchAll(END)) {
      whole.push(this.#rest.slice(from, index + mark.length));
      from = index + mark.length;
    }
    this.#rest = this.#rest.slice(from);
    return spoken(whole);
  }

  /** What is left at the end of the answer. */
  end(): string[] {
    const rest = this.#rest;
    this.#rest = '';
    return spoken([rest]);
  }
}

function spoken(sentences: readonly string[]): string[] {
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
}
