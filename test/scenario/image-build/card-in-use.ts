import { truncateSync } from 'node:fs';
import { execute } from '../../image/execute.ts';
import { AT, Workshop } from './tiny-image.ts';

export const GROWN_MB = 160;
/** A provisioning file with a secret in it. */
export const WAITING = 'endpoint = "wss://cloud.example/CANARY"\n';

export interface Cards {
  readonly made: Workshop;
  /** A newer image, packed. */
  readonly newer: string;
  /** A card in use: grown, with data. */
  readonly card: string;
}

export async function cards(): Promise<Cards> {
  const made = new Workshop();
  made.put('root/etc/version', 'old\n');
  made.put('fat/config.txt', 'arm_64bit=1\n');
  const card = await made.disk('card.img');
  truncateSync(card, GROWN_MB << 20);
  await execute('sh', ['-c', `echo ', +' | sfdisk -q -N 4 '${card}'`]);
  await execute('dd', [
    'if=/dev/urandom',
    `of=${card}`,
    'bs=1M',
    `seek=${AT.data + 2}`,
    'count=2',
    'conv=notrunc',
  ]);
  made.put('root/etc/version', 'new\n');
  made.put('fat/vmlinuz', 'a newer kernel\n');
  return { made, newer: await made.packed('newer.img'), card };
}
