import { command } from '../scenario/prerequisite.ts';

/** Programs that the boot level runs, with the Debian package that brings each. */
const TOOLS: Readonly<Record<string, string>> = {
  'qemu-system-aarch64': 'qemu-system-arm',
  mcopy: 'mtools',
  mdir: 'mtools',
  sfdisk: 'fdisk',
  dumpe2fs: 'e2fsprogs',
  zstd: 'zstd',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  socat: 'socat',
  'ansible-playbook': 'ansible-core',
};

/** The packages that this machine lacks. */
export function missingPackages(): readonly string[] {
  const missing = Object.entries(TOOLS).filter(([program]) => command(program).skip !== false);
  return [...new Set(missing.map(([, name]) => name))];
}
