import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '#kernel/clock.ts';
import { findOptional } from '#kernel/command.ts';
import { Fault } from '#kernel/fault.ts';
import { runProgram } from '../program.ts';

/** Who signs releases, and for what: both stand in the allowed signers file (ssh-keygen(1), ALLOWED SIGNERS). */
const SIGNER = 'aivoice-release';
const NAMESPACE = 'aivoice-release';
const PATH = '/usr/bin:/bin';
const VERIFY_MS = 30_000;

/**
 * Throws RELEASE_UNSIGNED unless one of the keys of `signers` has signed exactly these bytes, and UPDATE_FAILED where
 * the machine cannot check signatures.
 */
export async function verifySignature(
  bytes: Uint8Array,
  signature: Uint8Array,
  { signers, clock }: { readonly signers: string; readonly clock: Clock },
): Promise<void> {
  const file = findOptional('ssh-keygen', PATH);
  if (!file) throw new Fault('UPDATE_FAILED', 'ssh-keygen (openssh-client) is not installed');
  if (!existsSync(signers)) throw new Fault('RELEASE_UNSIGNED', `no trusted keys: ${signers} is missing`);
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-signature-'));
  try {
    const armoured = join(folder, 'manifest.sig');
    writeFileSync(armoured, signature, { mode: 0o600 });
    const args = ['-Y', 'verify', '-f', signers, '-I', SIGNER, '-n', NAMESPACE, '-s', armoured];
    const { code, stderr } = await runProgram({
      file,
      args,
      env: { PATH },
      ms: VERIFY_MS,
      input: bytes,
      clock,
    });
    if (code === 0) return;
    const said = stderr.trim().split('\n').at(-1) ?? '';
    throw new Fault(
      'RELEASE_UNSIGNED',
      said.replaceAll(folder, '').slice(0, 120) || 'the signature is wrong',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
