/**
 * Names as Linux keeps them (bytes) and as people see them. What is shown can be typed back: bytes that are no UTF-8
 * appear as `\x82`, control and invisible characters (line feed, right-to-left override, zero width) as `\u{202e}`.
 */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function display(name: Buffer): string {
  const text = decoded(name);
  if (text === undefined) return [...name].map(byteShown).join('');
  return text.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** A path from the root for people; the root itself is `.`. */
export function displayPath(names: readonly Buffer[]): string {
  return names.length === 0 ? '.' : names.map(display).join('/');
}

/** Canonically equal names are one name: a Mac stores ジ as シ and a mark (NFD), a keyboard types it as one (NFC). */
export function formOf(name: string): string {
  return name.normalize('NFC');
}

/** For comparing without case. */
export function foldOf(name: string): string {
  return formOf(name).toLowerCase();
}

/** Not listed and not searched, but open to who asks by name. */
export function isHidden(name: Buffer): boolean {
  return name[0] === 0x2e;
}

const SHUT_FOLDERS = /^\.(?:ssh|gnupg|aws|kube|docker|password-store)$/;
const SHUT_FILES = [
  /^\.env/,
  /\.env$/,
  /^id_[^.]*$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)/,
  /\.(?:pem|key|ppk|p12|pfx|jks|keystore|kdbx?|gpg)$/,
  /^\.(?:netrc|pgpass|git-credentials|npmrc|pypirc|htpasswd|my\.cnf)$/,
  /^(?:shadow|gshadow)-?$/,
];

/**
 * Secrets, never opened and never passed through, also by way of a link. Compared in NFKC without case, and without
 * trailing dots and spaces: a FAT stick opens `.env.` and `.ENV` as `.env`.
 */
export function isShut(name: Buffer | string): boolean {
  const text = typeof name === 'string' ? name : (decoded(name) ?? name.toString('latin1'));
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[. ]+$/, '');
  return SHUT_FOLDERS.test(plain) || SHUT_FILES.some((rule) => rule.test(plain));
}

function decoded(name: Buffer): string | undefined {
  try {
    return utf8.decode(name);
  } catch {
    return undefined;
  }
}

function byteShown(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
}
