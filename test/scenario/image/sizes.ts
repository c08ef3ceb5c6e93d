import { statSync } from 'node:fs';
import { within } from '../../image/reach.ts';
import { MINUTE, type Scene } from './scene.ts';

/** What is downloaded and what fills the card. */
export interface Files {
  readonly image: string;
  readonly release: string;
}

export async function sizes({ report, board }: Scene, { image, release }: Files): Promise<void> {
  await report.step('image, root and release are as small as promised', { ms: MINUTE }, async () => {
    const mb = (bytes: number) => Math.round(bytes / 1e6);
    const isCompressed = image.endsWith('.zst');
    const numbers = {
      ...(isCompressed && { imageMb: mb(statSync(image).size) }),
      rootMb: mb(await board.disk.rootBytes()),
      releaseMb: mb(statSync(release).size),
    };
    for (const [name, value] of Object.entries(numbers)) report.number(name, value);
    within(numbers);
    return undefined;
  });
}
