import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '#kernel/fault.ts';
import { findBoard, isOtherBoard } from './board.ts';
import { becomeAnother, leaveNotice } from './copied-card.ts';
import { keepChanged, readText, syncFolder } from './kept-file.ts';
import type { Machine } from './machine.ts';

const MACHINE_ID = /^[0-9a-f]{32}$/;

/**
 * Who this device is: made on the first boot and kept on the data partition, made anew where the card has come to another
 * board. The board is written down last, so that a power cut only means that the next boot does it again. What one part
 * fails at keeps none of the others from its turn, but nothing is made anew while the next boot would do so once more:
 * people refuse a device whose host key differs each time.
 */
export async function takeIdentity(machine: Machine): Promise<void> {
  const { places } = machine;
  const boardFile = join(places.host, 'board');
  const known = readText(boardFile)?.trim() || undefined;
  const found = await findBoard(machine, known);
  const failures: unknown[] = [];
  const isAnother =
    isOtherBoard(known, found) && isDone(() => becomeAnother(machine, known ?? '', found ?? ''));
  const hasKey = isDone(() => keepHostKey(machine, isAnother));
  isDone(() => keepMachineId(machine, isAnother && hasKey));
  if (isAnother) leaveNotice(machine);
  if (failures.length > 0) throw failures[0];
  if (found !== undefined) keepChanged(boardFile, `${found}\n`, { mode: 0o644 });

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
  const stays = isAnew ? undefined : [before, now].find((id) => MACHINE_ID.test(id));
  const id = stays ?? drawMachineId();
  keepChanged(kept, `${id}\n`, { mode: 0o444 });
  if (now !== id) {
    mkdirSync(join(places.root, 'etc'), { recursive: true });
    writeFileSync(live, `${id}\n`); // in place: it may be mounted as a file of its own
  }
  if (id !== before) log.info('machine_id', { isNew: true });
}

/** machine-id(5): 16 bytes, in the form of a random UUID. */
function drawMachineId(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex');
}

/**
 * The key by which people know the device when they log in. Ed25519: made in a moment, also on the smallest board. The
 * one that is there serves until there is another.
 */
function keepHostKey({ places, run, log }: Machine, isAnew: boolean): void {
  const key = join(places.sshKeys, 'ssh_host_ed25519_key');
  if (!isAnew && existsSync(key) && existsSync(`${key}.pub`)) return;
  mkdirSync(places.sshKeys, { recursive: true, mode: 0o755 });
  const fresh = `${key}.new`;
  for (const path of [fresh, `${fresh}.pub`]) rmSync(path, { force: true });
  const { code, said } = run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'aivoice', '-f', fresh]);
  if (code !== 0) throw new Fault('INTERNAL', `no host key: ssh-keygen ended with ${code}: ${said}`);
  // The private one last: while it is missing, or that of another board, both are made again.
  renameSync(`${fresh}.pub`, `${key}.pub`);
  renameSync(fresh, key);
  syncFolder(places.sshKeys);
  log.info('host_key', { isNew: true });
}
