import { createHash } from 'node:crypto';
import { inspect } from 'node:util';

/** A value that prints as `***` wherever it is printed by accident: text, JSON, console. `reveal` is the only way in. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** For people: an address keeps its host and a fingerprint of its key; anything else is the fingerprint alone. */
  masked(): string {
    return maskOf(this.#value);
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }

  [inspect.custom](): string {
    return '***';
  }
}

/** Shorter values are hidden only inside `token=`: by value they would tear holes into ordinary words. */
const MIN_LENGTH = 6;

/** So are these: as a bare number in a JSON line they may be a time or a size, and a mask there is no JSON. */
const NUMBER = /^\d{1,15}$/;

/**
 * Makes the function that takes secrets out of a text, by value: the whole address and the key inside it, each raw,
 * URL-decoded, URL-encoded, in base64 (also in the middle of something larger) and as JSON writes it. What replaces
 * them keeps the host and a fingerprint. Any other `token=` of an address is hidden as well.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const hidden = secrets
    .flatMap(valuesOf)
    .flatMap(({ value, mask }) => formsOf(value).map((form) => ({ form, mask })));
  // The longest first: a whole address has to go before the key inside it.
  hidden.sort((a, b) => b.form.length - a.form.length);
  return (text) => {
    let safe = text;
    for (const { form, mask } of hidden) {
      if (safe.includes(form)) safe = safe.replaceAll(form, () => mask);
    }
    return hideUnknown(safe);
  };
}

/** 4 hexadecimal digits of the SHA-256 of a key: enough to tell two keys apart, useless to guess one. */
export function fingerprint(key: string): string {
  return createHash('sha256').update(decoded(key)).digest('hex').slice(0, 4);
}

/** A key in a query whose value nobody told us, and a password before the host. */
const UNKNOWN_KEY = /([?&;]|%3F|%26)(token)(=|%3D)(?!\*\*\*)([^\s"'&#<>\\]+)/gi;
const UNKNOWN_PASSWORD = /\b(wss?:\/\/)[^\s/@"'<>\\]+@/gi;

function hideUnknown(text: string): string {
  // Two plain searches decide for nearly every line: a log line comes through here each time.
  if (!(/token/i.test(text) || text.includes('@'))) return text;
  return text
    .replace(
      UNKNOWN_KEY,
      (_all, before, name, equals, key) => `${before}${name}${equals}***${fingerprint(key)}`,
    )
    .replace(UNKNOWN_PASSWORD, '$1***@');
}

interface Hidden {
  readonly value: string;
  readonly mask: string;
}

/**
 * What is secret about a value: an address as a whole, its key and its password; anything else itself, and where it has
 * several lines each of them, since a log takes what a program prints line by line.
 */
function valuesOf(secret: string): Hidden[] {
  const parts = [{ value: secret, mask: maskOf(secret) }];
  const lines = secret.split(/[\r\n]+/);
  if (lines.length > 1)
    parts.push(...lines.map((line) => ({ value: line.trim(), mask: `***${fingerprint(line.trim())}` })));
  if (isAddress(secret)) {
    const password = /^\w+:\/\/[^/?#@]*?:([^/?#@]*)@/.exec(secret)?.[1] ?? '';
    for (const part of [keyOf(secret), password])
      parts.push({ value: part, mask: `***${fingerprint(part)}` });
  }
  return parts.filter(({ value }) => value.length >= MIN_LENGTH);
}

function maskOf(secret: string): string {
  if (!isAddress(secret)) return `***${fingerprint(secret)}`;
  const address = /^(\w+:\/\/)(?:[^/?#@]*@)?([^?#]*)/.exec(secret);
  const key = keyOf(secret);
  const query =
    key === ''
      ? ''
      : /[?&]token=/i.test(secret)
        ? `?token=***${fingerprint(key)}`
        : `?***${fingerprint(key)}`;
  return `${address?.[1] ?? ''}${address?.[2] ?? ''}${query}`;
}

function isAddress(secret: string): boolean {
  return /^(wss?|https?):\/\//i.test(secret);
}

/** The `token` of an address; where its query has none, the whole query. */
function keyOf(address: string): string {
  return /[?&]token=([^&#]*)/i.exec(address)?.[1] ?? /\?([^#]*)/.exec(address)?.[1] ?? '';
}

/** Every spelling in which a value can turn up. */
function formsOf(value: string): string[] {
  const plain = [value, decoded(value), decoded(value).replaceAll('+', ' ')];
  const spelled = plain.flatMap((text) => [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
  ]);
  const inBase64 = [value, decoded(value)].flatMap((text) =>
    [0, 1, 2].flatMap((shift) => base64At(text, shift)),
  );
  return [...new Set([...spelled, ...inBase64])].filter(
    (form) => form.length >= MIN_LENGTH && !NUMBER.test(form),
  );
}

/** The base64 of a text that begins `shift` bytes into a group of three, without the characters that its neighbours share. */
function base64At(text: string, shift: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]);
  const from = [0, 2, 3][shift];
  const to = Math.floor((whole.length * 8) / 6);
  return (['base64', 'base64url'] as const).map((form) => whole.toString(form).slice(from, to));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A stray % is no encoding: the text stands for itself.
  }
}
