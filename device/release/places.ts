import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Where an installed appliance has its releases. All paths are absolute; nothing need be there. */
export interface ReleasePlaces {
  /** What the installer writes and everybody may read: `current`, `update.json`, `undone.json`, `lock`, `staging/` … */
  readonly store: string;
  /** The release that came with the image: the last resort. */
  readonly factory: string;
  /** What is known of the image, or of the installation where there is none. */
  readonly image: string;
}

/** What runs: the release that came with the image, one that was installed since, or neither. */
export type Origin = 'factory' | 'release' | 'checkout';

/** `root` is `/`, or the folder that stands for it in a test. */
export function releasePlaces(root: string): ReleasePlaces {
  return {
    store: join(root, 'var/lib/aivoice-releases'),
    factory: join(root, 'opt/aivoice/factory'),
    image: join(root, 'opt/aivoice/image.json'),
  };
}

/** What the bundle in this folder is part of; the folder as the system knows it, without links. */
export function originOf(bundle: string, { store, factory }: ReleasePlaces): Origin {
  if (bundle.startsWith(factory + sep)) return 'factory';
  return bundle.startsWith(join(store, 'releases') + sep) ? 'release' : 'checkout';
}

/** Whether there is anything to say of releases: a store, or a factory release that has lost it. */
export function isInstalled(bundle: string, places: ReleasePlaces): boolean {
  return existsSync(places.store) || originOf(bundle, places) !== 'checkout';
}
