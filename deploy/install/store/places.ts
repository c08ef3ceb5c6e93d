import { isAbsolute, join } from 'node:path';
import { Fault } from '#kernel/fault.ts';

/** Where releases stand on an appliance. All paths are absolute. */
export interface Places {
  /** `/`, or what AIVOICE_ROOT says: everything below is inside it. */
  readonly root: string;
  /** The factory release: the last resort, never changed by an update. */
  readonly factory: string;
  /** Whose signatures count (ssh-keygen's allowed signers file). */
  readonly signers: string;
  /** What is known of the operating system image; absent where there is none. */
  readonly image: string;
  /** The store: releases, the links that choose among them, and what is known of the last update. */
  readonly store: string;
  readonly releases: string;
  readonly staging: string;
  readonly incoming: string;
  readonly bad: string;
  /** The release that runs. */
  readonly current: string;
  /** The last release that was proved good. */
  readonly good: string;
  /** The one that was good before it: what `rollback` goes back to. */
  readonly previous: string;
  /** Exists while an update is not confirmed, or is still watched. */
  readonly update: string;
  /** What the last undone update was, and why. */
  readonly undone: string;
  /** Exists from the guard's look at a boot until the appliance is ready for the first time in it. */
  readonly starting: string;
  readonly lock: string;
  readonly settings: string;
  /** The file of the servers in the working folder of the unit, which counts before the one beside the settings. */
  readonly servers: string;
  readonly passwd: string;
  /** V8's compiled code, one folder for each version (CacheDirectory= of the unit). */
  readonly cache: string;
  /** The folder of the control socket (RuntimeDirectory= of the unit). */
  readonly runtime: string;
}

/** Works the places out; touches nothing. Throws USAGE where AIVOICE_ROOT is not absolute. */
export function findPlaces(root: string): Places {
  if (!isAbsolute(root)) throw new Fault('USAGE', `AIVOICE_ROOT: expected an absolute path, got ${root}`);
  const store = join(root, 'var/lib/aivoice-releases');
  return {
    root,
    factory: join(root, 'opt/aivoice/factory'),
    signers: join(root, 'opt/aivoice/allowed_signers'),
    image: join(root, 'opt/aivoice/image.json'),
    store,
    releases: join(store, 'releases'),
    staging: join(store, 'staging'),
    incoming: join(store, 'incoming'),
    bad: join(store, 'bad'),
    current: join(store, 'current'),
    good: join(store, 'good'),
    previous: join(store, 'previous'),
    update: join(store, 'update.json'),
    undone: join(store, 'undone.json'),
    starting: join(store, 'starting'),
    lock: join(store, 'lock'),
    settings: join(root, 'etc/aivoice/appliance.toml'),
    servers: join(root, 'var/lib/aivoice/mcp_settings.json'),
    passwd: join(root, 'etc/passwd'),
    cache: join(root, 'var/cache/aivoice'),
    runtime: join(root, 'run/aivoice'),
  };
}
