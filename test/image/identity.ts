/** What makes a board itself, as one that was read tells it. */
export interface Identity {
  readonly machineId: string;
  /** Its public key of ssh, without comment. */
  readonly hostKey: string;
  readonly name: string;
  /** A sum and a name for each Wi-Fi that it knows. */
  readonly wifi: readonly string[];
}

/** For a shell of the board; fails where anything of it is missing. `root` is where its system begins. */
export function identityCommand(root = ''): string {
  const key = `${root}/etc/ssh/keys/ssh_host_ed25519_key`;
  return [
    'set -e',
    `cat ${root}/etc/machine-id`,
    // A private key without its half is none.
    `test -s ${key}`,
    `ssh-keygen -y -P "" -f ${key}`,
    'uname -n',
    `sha256sum ${root}/etc/NetworkManager/system-connections/*`,
  ].join('\n');
}

export function identityIn(told: string): Identity {
  const [machineId = '', hostKey = '', name = '', ...wifi] = told.trim().split('\n');
  const [kind = '', key = ''] = hostKey.split(' ');
  if (!/^[0-9a-f]{32}$/.test(machineId) || kind !== 'ssh-ed25519' || name === '' || wifi.length === 0)
    throw new Error(`not a whole identity: ${told.slice(0, 500)}`);
  return { machineId, hostKey: `${kind} ${key}`, name, wifi };
}
