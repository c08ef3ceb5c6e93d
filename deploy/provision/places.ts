import { isAbsolute, join } from 'node:path';
import { Fault } from '#kernel/fault.ts';

/** What the provisioning reads and writes. All paths are absolute, and below the root. */
export interface Places {
  /** `/`, or what AIVOICE_ROOT says. */
  readonly root: string;
  /** The FAT partition that people write to, mounted read-only. */
  readonly boot: string;
  /** Who this board is; see identity.ts and host-settings.ts. */
  readonly host: string;
  /** Settings of the appliance. */
  readonly settings: string;
  /** State of the appliance. */
  readonly state: string;
  /** The device's own keys of sshd, and the owner's. */
  readonly sshKeys: string;
  /** NetworkManager's connections. */
  readonly connections: string;
  /** Where the data partition is mounted. */
  readonly data: string;
  /** In RAM and for root alone: settings that are being checked hold keys. */
  readonly scratch: string;
  /** `aivoice` of the release that runs, and of the factory: what checks settings. */
  readonly products: readonly string[];
}

/** Works the places out; touches nothing. Throws USAGE where AIVOICE_ROOT is not absolute. */
export function findPlaces(root: string): Places {
  if (!isAbsolute(root)) throw new Fault('USAGE', `AIVOICE_ROOT: expected an absolute path, got ${root}`);
  return {
    root,
    boot: join(root, 'boot/firmware'),
    host: join(root, 'var/lib/aivoice-host'),
    settings: join(root, 'etc/aivoice'),
    state: join(root, 'var/lib/aivoice'),
    sshKeys: join(root, 'etc/ssh/keys'),
    connections: join(root, 'etc/NetworkManager/system-connections'),
    data: join(root, 'data'),
    scratch: join(root, 'run/aivoice-provision'),
    products: [join(root, 'opt/aivoice/bin/aivoice'), join(root, 'opt/aivoice/factory/bin/aivoice')],
  };
}
