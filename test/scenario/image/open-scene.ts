import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Board } from '../../image/board.ts';
import { Disk } from '../../image/disk.ts';
import { openHouse } from '../../image/house.ts';
import { Owner } from '../../image/owner.ts';
import type { Report } from '../../image/report.ts';
import type { Flags } from './flags.ts';
import type { Releases, Scene } from './scene.ts';

/** What a scene is made of; who made it closes what is opened here. */
export interface Setting {
  readonly made: AsyncDisposableStack;
  readonly flags: Flags;
  readonly releases: Releases;
  readonly report: Report;
  /** A folder of its own for each board; it is made. */
  readonly folder: string;
}

/** One board with a freshly written card, in a house of its own. */
export async function openScene({ made, flags, releases, report, folder }: Setting): Promise<Scene> {
  mkdirSync(folder, { recursive: true });
  const disk = await Disk.write(flags.image, join(folder, 'card.img'));
  const house = made.use(await openHouse());
  const owner = await Owner.withKey(folder, house.sshPort);
  const board = made.use(new Board({ disk, house, folder, memoryMb: flags.memoryMb }));
  const wishes = {
    name: 'aivoice-bench',
    sshKey: owner.publicKey,
    endpoint: house.endpoint,
    voice: { url: house.voiceUrl, token: house.voice.token },
    wifi: { ssid: '台所 2.4', password: 'correct horse battery' },
  };
  return { report, board, house, owner, wishes, folder, releases };
}
