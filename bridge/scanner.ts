/** Deeper nesting than this is refused as if it were not JSON: the scanner must not overflow its stack. */
const MAX_DEPTH = 512;

const NOTHING = new Uint8Array(0);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * A strict walk over the bytes of one JSON text (RFC 8259) that builds nothing. Each step returns whether the bytes
 * were good and leaves `at` behind what it read. Strings are looked at for control characters and escapes; that the
 * bytes are UTF-8 is for the caller to know.
 */
export class Scanner {
  bytes: Uint8Array = NOTHING;
  at = 0;
  /** The string read last held a backslash. */
  sawEscape = false;
  #depth = 0;

  /** Begins anew with other bytes: a scanner is used for many messages, one after the other. */
  begin(bytes: Uint8Array): this {
    this.bytes = bytes;
    this.at = 0;
    this.#depth = 0;
    return this;
  }

  /** The next byte that is not white space, or -1 at the end. */
  peek(): number {
    const { bytes } = this;
    while (this.at < bytes.length) {
      const byte = bytes[this.at] as number;
      if (byte > 0x20 || !(byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)) return byte;
      this.at++;
    }
    return -1;
  }

  atEnd(): boolean {
    return this.peek() === -1;
  }

  is(start: number, word: string): boolean {
    for (let k = 0; k < word.length; k++) {
      if (this.bytes[start + k] !== word.charCodeAt(k)) return false;
    }
    return true;
  }

  value(): boolean {
    const first = this.peek();
    switch (first) {
      case QUOTE:
        return this.string();
      case 0x7b:
        return this.object(0);
      case 0x5b:
        return this.array();
      case 0x74:
        return this.#word('true');
      case 0x66:
        return this.#word('false');
      case 0x6e:
        return this.#word('null');
      default:
        return this.#number(first);
    }
  }

  /**
   * One object. `place` tells `member` whose members it is shown: 0 for those that nobody asks about. Numbers and a
   * method instead of callbacks: this runs twice for each call, and closures cost more than the bytes.
   */
  object(place: number): boolean {
    if (this.peek() !== 0x7b || ++this.#depth > MAX_DEPTH) return false;
    this.at++;
    if (this.peek() === 0x7d) return this.#leave();
    for (;;) {
      if (this.peek() !== QUOTE) return false;
      const keyStart = this.at + 1;
      if (!this.string()) return false;
      const keyEnd = this.at - 1;
      if (this.peek() !== 0x3a) return false;
      this.at++;
      this.peek();
      if (!(place === 0 ? this.value() : this.member(place, keyStart, keyEnd))) return false;
      const next = this.peek();
      if (next === 0x7d) return this.#leave();
      if (next !== 0x2c) return false;
      this.at++;
    }
  }

  /** Reads the value of a member; the bytes of its key stand at the span. */
  protected member(_place: number, _keyStart: number, _keyEnd: number): boolean {
    return this.value();
  }

  /** `element` is told the span of each value. */
  array(element?: (start: number, end: number) => void): boolean {
    if (this.peek() !== 0x5b || ++this.#depth > MAX_DEPTH) return false;
    this.at++;
    if (this.peek() === 0x5d) return this.#leave();
    for (;;) {
      this.peek();
      const start = this.at;
      if (!this.value()) return false;
      element?.(start, this.at);
      const next = this.peek();
      if (next === 0x5d) return this.#leave();
      if (next !== 0x2c) return false;
      this.at++;
    }
  }

  string(): boolean {
    const { bytes } = this;
    this.sawEscape = false;
    for (let i = this.at + 1; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      if (byte === QUOTE) {
        this.at = i + 1;
        return true;
      }
      if (byte === BACKSLASH) {
        this.sawEscape = true;
        i++;
        if (bytes[i] === 0x75) {
          if (!this.#hex4(i + 1)) return false;
          i += 4;
        } else if (!ESCAPES.has(bytes[i] as number)) {
          return false;
        }
      } else if (byte < 0x20) {
        return false;
      }
    }
    return false;
  }

  #leave(): boolean {
    this.at++;
    this.#depth--;
    return true;
  }

  #hex4(start: number): boolean {
    for (let i = start; i < start + 4; i++) {
      const byte = (this.bytes[i] ?? 0) | 0x20;
      if (!((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66))) return false;
      // `| 0x20` maps control characters 0x10-0x19 onto digits too.
      if ((this.bytes[i] as number) < 0x30) return false;
    }
    return true;
  }

  #word(word: string): boolean {
    if (!this.is(this.at, word)) return false;
    this.at += word.length;
    return true;
  }

  #number(first: number): boolean {
    if (first === 0x2d) this.at++;
    if (this.bytes[this.at] === 0x30) this.at++;
    else if (!this.#digits()) return false;
    if (this.bytes[this.at] === 0x2e) {
      this.at++;
      if (!this.#digits()) return false;
    }
    if (((this.bytes[this.at] ?? 0) | 0x20) === 0x65) {
      this.at++;
      const sign = this.bytes[this.at];
      if (sign === 0x2b || sign === 0x2d) this.at++;
      if (!this.#digits()) return false;
    }
    return true;
  }

  #digits(): boolean {
    const start = this.at;
    for (;;) {
      const byte = this.bytes[this.at] ?? 0;
      if (byte < 0x30 || byte > 0x39) return this.at > start;
      this.at++;
    }
  }
}

/** What may follow a backslash, but for `u`. */
const ESCAPES: ReadonlySet<number> = new Set([...'"\\/bfnrt'].map((letter) => letter.charCodeAt(0)));
