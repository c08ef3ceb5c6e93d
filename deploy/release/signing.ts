import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { CHECKOUT } from './checkout.ts';
import { run } from './program.ts';
import { Refusal } from './refusal.ts';

/** The name that a signature is made for and by: one made for something else is none for a release. */
const NAMESPACE = 'aivoice-release';

/** $AIVOICE_RELEASE_KEY, else `~/.config/aivoice/release-key`. */
export function usualKey(): string {
  return process.env.AIVOICE_RELEASE_KEY || join(homedir(), '.config', 'aivoice', 'release-key');
}

/** Throws a Refusal where there is no private key at `key`, or where it lies in the checkout. */
export function checkKey(key: string): void {
  if (!existsSync(key)) {
    throw new Refusal('KEY_MISSING', key);
  }
  keepOutside(key);
}

/** A signature over exactly these bytes, as text. Throws as checkKey does. */
export function sign(bytes: Buffer, key: string): Buffer {
  checkKey(key);
  const args = ['-q', '-Y', 'sign', '-f', key, '-n', NAMESPACE];
  return Buffer.from(run('ssh-keygen', args, { input: bytes, from: 'openssh-client' }));
}

/**
 * Makes an Ed25519 key without a passphrase (0600) at `key`, its public half beside it (`.pub`), and beside both
 * `allowed_signers`, which an appliance trusts. Returns the line of that file. Throws a Refusal where one of the three
 * is there already, or where the key would lie in the checkout.
 */
export function makeKey(key: string): string {
  const signers = join(dirname(key), 'allowed_signers');
  for (const file of [key, `${key}.pub`, signers]) {
    if (existsSync(file)) {
      throw new Refusal('KEY_EXISTS', file);
    }
  }
  keepOutside(key);
  mkdirSync(dirname(key), { recursive: true, mode: 0o700 });
  const args = ['-q', '-t', 'ed25519', '-N', '', '-C', NAMESPACE, '-f', key];
  run('ssh-keygen', args, { from: 'openssh-client' });
  chmodSync(key, 0o600);
  const line = signersLine(readFileSync(`${key}.pub`, 'utf8'));
  writeFileSync(signers, line, { mode: 0o644 });
  return line;
}

/** The line of an allowed signers file for a public key. */
function signersLine(publicKey: string): string {
  const [type, key] = publicKey.split(' ');
  return `${NAMESPACE} namespaces="${NAMESPACE}" ${type} ${key?.trim()}\n`;
}

function keepOutside(key: string): void {
  let place = dirname(key);
  while (!existsSync(place)) place = dirname(place);
  const folder = realpathSync(place);
  if (`${folder}${sep}`.startsWith(`${realpathSync(CHECKOUT)}${sep}`)) {
    throw new Refusal('KEY_IN_CHECKOUT', key);
  }
}
