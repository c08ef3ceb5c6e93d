import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { command } from '../prerequisite.ts';
import type { Desk } from './desk.ts';
import type { SshHost } from './ssh-host.ts';

const { path: ANSIBLE, skip: noAnsible } = command('ansible-playbook');

export { noAnsible };

/** Runs the playbook over hosts; what it prints is one text. */
export async function play(
  desk: Desk,
  hosts: readonly SshHost[],
  variables: Readonly<Record<string, unknown>> = {},
) {
  const { owner, folder } = desk;
  const inventory = {
    appliances: {
      vars: {
        ansible_user: userInfo().username,
        ansible_host: '127.0.0.1',
        ansible_ssh_private_key_file: owner.key,
      },
      hosts: Object.fromEntries(hosts.map(({ port }, index) => [`host${index}`, { ansible_port: port }])),
    },
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'inventory.yml'), JSON.stringify(inventory));
  const all = { aivoice_ssh_options: owner.sshOptions, ...variables };
  return await playbook(desk, ['-i', join(folder, 'inventory.yml'), '-e', JSON.stringify(all)]);
}

/** Runs the playbook with these arguments. */
export async function playbook({ folder }: Desk, args: readonly string[]) {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const child = spawn(ANSIBLE, [...args, join(folder, 'deploy', 'fleet', 'update.yml')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      LANG: 'C.UTF-8',
      TMPDIR: join(folder, 'tmp'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), 90_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, stdout };
}
