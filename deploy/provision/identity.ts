import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '#kernel/fault.ts';
import { findBoard, isOtherBoard } from './board.ts';
import { becomeAnother, isAnotherAlready, leaveNotice } from './copied-card.ts';
import { keepChanged, keepFile, readText } from './kept-file.ts';
import type { Machine } from './machine.ts';

const MACHINE_ID = /^[0-9a-f]{32}$/;

/**
 * Who this device is: made on the first boot and kept on the data partition, made anew where the card has come to another
 * board. The board is written down last, so that a power cut only means that the next boot does it again. What one part
 * fails at keeps none of the others from its turn, and each is made anew once for a board, however often another one
 * fails: people refuse a device whose host key differs each time.
 */
export async function takeIdentity(machine: Machine): Promise<void> {
  const { places } = machine;
  const boardFile = join(places.host, 'board');
  const known = readText(boardFile)?.trim() || undefined;
  const found = await findBoard(machine, known);
  const failures: unknown[] = [];
  const isAnother = isOtherBoard(known, found) && isDone(() => leaveClouds(known ?? '', found ?? ''));
  const hasKey = isDone(() => keepHostKey(machine, isAnother ? found : undefined));
  isDone(() => keepMachineId(machine, isAnother && hasKey));
  if (isAnother && !existsSync(join(places.settings, 'endpoint'))) leaveNotice(machine);
  if (failures.length > 0) throw failures[0];
  if (found !== undefined) keepChanged(boardFile, `${found}\n`, { mode: 0o644 });

  function leaveClouds(from: string, to: string): void {
    if (!isAnotherAlready(machine, to)) becomeAnother(machine, from, to);
  }

  function isDone(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      failures.push(error);
      return false;
    }
  }
}

function keepMachineId({ places, log }: Machine, isAnew: boolean): void {
  const kept = join(places.host, 'machine-id');
  const live = join(places.root, 'etc/machine-id');
  const [before = '', now = ''] = [readText(kept), readText(live)].map((text) => text?.trim());
  const stays = [before, now].find((id) => MACHINE_ID.test(id));
  const id = isAnew ? idOfKey(hostKeyOf(places)) : (stays ?? uuidOf(randomBytes(16)));
  keepChanged(kept, `${id}\n`, { mode: 0o444 });
  if (now !== id) {
    mkdirSync(join(places.root, 'etc'), { recursive: true });
    writeFileSync(live, `${id}\n`); // in place: it may be mounted as a file of its own
  }
  if (id !== before) log.info('machine_id', { isNew: true });
}

/** As secret as the key and as much this board's own; unlike a random one it is the same when a boot has to repeat it. */
function idOfKey(key: string): string {
  return uuidOf(
    createHash('sha256')
      .update('machine-id\n')
      .update(readText(key) ?? '')
      .digest()
      .subarray(0, 16),
  );
}

/** machine-id(5): 16 bytes, in the form of a random UUID. */
function uuidOf(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex');
}

function hostKeyOf(places: Machine['places']): string {
  return join(places.sshKeys, 'ssh_host_ed25519_key');
}

/**
 * The key by which people know the device when they log in. Ed25519: made in a moment, also on the smallest board. The
 * one that is there serves until there is another. One that is made for a `board` names it, as a hash, in its comment.
 */
function keepHostKey({ places, run, log }: Machine, board: string | undefined): void {
  const key = hostKeyOf(places);
  const mark = board && createHash('sha256').update(board).digest('hex').slice(0, 16);
  const comment = mark === undefined ? 'aivoice' : `aivoice-${mark}`;
  const known = existsSync(key) ? readText(`${key}.pub`) : undefined;
  if (known !== undefined && (board === undefined || known.trim().endsWith(` ${comment}`))) return;
  mkdirSync(places.sshKeys, { recursive: true, mode: 0o755 });
  const fresh = `${key}.new`;
  for (const path of [fresh, `${fresh}.pub`]) rmSync(path, { force: true });
  const { code, said } = run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', comment, '-f', fresh]);
  if (code !== 0) throw new Fault('INTERNAL', `no host key: ssh-keygen ended with ${code}: ${said}`);
  // The public one last: while it is missing, or names another board, both are made again.
  rmSync(`${key}.pub`, { recursive: true, force: true });
  keepFile(key, readText(fresh) ?? '', { mode: 0o600 });
  keepFile(`${key}.pub`, readText(`${fresh}.pub`) ?? '', { mode: 0o644 });
  for (const path of [fresh, `${fresh}.pub`]) rmSync(path, { force: true });
  log.info('host_key', { isNew: true });
}
