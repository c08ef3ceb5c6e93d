import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Appliance } from './appliance.ts';
import type { Environment } from './config/environment.ts';
import { bundleFolder, rootOf } from './config/places.ts';
import { isInstalled, releasePlaces } from './release/places.ts';
import { VERSION } from './version.ts';

/** Adds a part to an appliance. */
type Furnish = (appliance: Appliance) => void;

/**
 * What an appliance has to tell beyond what a checkout does: of its releases where the installer put it, of its Wi-Fi and
 * its storage where it came with the card. Nothing of either is loaded where it is not there.
 */
export async function installed(environment: Environment): Promise<Furnish> {
  const root = rootOf(environment);
  const parts = await Promise.all([releasesOf(root), networkOf(root), storageOf(root)]);
  return (appliance) => {
    for (const furnish of parts) furnish?.(appliance);
  };
}

async function releasesOf(root: string): Promise<Furnish | undefined> {
  const places = releasePlaces(root);
  const bundle = bundleFolder();
  if (!isInstalled(bundle, places)) return undefined;
  const { Releases } = await import('./release/releases.ts');
  return (appliance) => {
    const { clock, log } = appliance.kit;
    const releases = new Releases({
      ...{ places, bundle, version: VERSION, clock },
      log: log.child({ service: 'release' }),
      onChange: () => appliance.look(),
    });
    appliance.releases = releases;
    appliance.supervisor.add(releases.service());
  };
}

async function networkOf(root: string): Promise<Furnish | undefined> {
  // The system looks after the Wi-Fi there, and writes down what it finds.
  if (!existsSync(join(root, 'opt/aivoice/bin/mend-network'))) return undefined;
  const { Network } = await import('./network/network.ts');
  return (appliance) => {
    const { clock, log } = appliance.kit;
    const network = new Network({
      file: join(root, 'run/aivoice-network'),
      clock,
      log: log.child({ service: 'network' }),
      onChange: () => appliance.look(),
    });
    appliance.supervisor.add(network.service());
  };
}

async function storageOf(root: string): Promise<Furnish | undefined> {
  const { storagePlaces } = await import('./storage/condition.ts');
  const places = storagePlaces(root);
  if (!existsSync(places.boot)) return undefined;
  const { Storage } = await import('./storage/storage.ts');
  return (appliance) => {
    const { clock, log } = appliance.kit;
    const storage = new Storage({
      ...{ places, clock },
      log: log.child({ service: 'storage' }),
      onChange: () => appliance.look(),
    });
    appliance.supervisor.add(storage.service());
  };
}
