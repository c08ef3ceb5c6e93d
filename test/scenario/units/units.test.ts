import assert from 'node:assert/strict';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { command, forProof } from '../prerequisite.ts';
import { Placed, run } from './placed.ts';

const { skip } = forProof(command('systemd-analyze'));
const users = command('systemd-sysusers');
const sshd = command('sshd');
const UNITS = 'etc/systemd/system';
/** systemd's own scale, in tenths: 0 is a closed box. Node compiles at run time, speaks to the network, and has devices. */
const MOST_EXPOSED: Readonly<Record<string, number>> = {
  'aivoice.service': 20,
  'aivoice-guard.service': 45,
  'aivoice-mend.service': 45,
  'aivoice-watch.service': 45,
};
/** The keys in it are of a version later than that of most machines that test. */
const NEWER = join(UNITS, 'aivoice.service.d');

for (const kind of ['image', 'host'] as const) {
  it(`systemd finds nothing to say about the units of ${kind}`, { skip }, () => {
    using placed = new Placed(kind);
    placed.complete();
    rmSync(join(placed.root, NEWER), { recursive: true, force: true });
    const units = readdirSync(join(placed.root, UNITS)).filter(
      (name) => name.startsWith('aivoice') && /\.(service|timer)$/.test(name),
    );
    assert.equal(units.includes('aivoice-provision.service'), kind === 'image');
    const files = units.map((name) => join(placed.root, UNITS, name));
    const verify = ['verify', '--man=no', '--recursive-errors=no', `--root=${placed.root}`];
    assert.deepEqual(run('systemd-analyze', [...verify, ...files]), { code: 0, text: '' });
  });
}

it('what systemd knows nothing of would be told', { skip }, () => {
  using placed = new Placed('host');
  placed.complete();
  const unit = join(UNITS, 'aivoice.service');
  placed.put(unit, placed.text(unit).replace('WatchdogSec=', 'WatchDogSec='));
  const { text } = run('systemd-analyze', [
    'verify',
    '--man=no',
    '--recursive-errors=no',
    `--root=${placed.root}`,
    join(placed.root, unit),
  ]);
  assert.match(text, /WatchDogSec/);
});

for (const [unit, most] of Object.entries(MOST_EXPOSED)) {
  it(`${unit} is exposed by no more than ${most / 10} of 10`, { skip }, () => {
    using placed = new Placed('host');
    placed.complete();
    const args = [
      'security',
      '--offline=true',
      '--no-pager',
      `--threshold=${most}`,
      `--root=${placed.root}`,
      unit,
    ];
    const { code, text } = run('systemd-analyze', args);
    assert.equal(code, 0, text);
  });
}

it('the appliance is started again for ever, is told to systemd by its children, and misses no key that is not there', () => {
  using placed = new Placed('image');
  const unit = placed.text(join(UNITS, 'aivoice.service')).split('\n');
  for (const line of [
    'Type=notify',
    'NotifyAccess=all',
    'Restart=always',
    'StartLimitIntervalSec=0',
    'KillMode=control-group',
    'ExecStart=/opt/aivoice/bin/aivoice run --config /etc/aivoice/appliance.toml',
  ])
    assert.ok(unit.includes(line), line);
  // systemd.exec(5): a file that is missing fails the unit, unless there is a value to fall back on.
  for (const name of ['endpoint', 'voice-token']) {
    assert.ok(unit.includes(`LoadCredential=${name}:/etc/aivoice/${name}`));
    assert.ok(unit.some((line) => line.startsWith(`SetCredential=${name}:`)));
  }
});

it('a guard that hangs holds the boot for two minutes and no more', () => {
  using placed = new Placed('image');
  const unit = placed.text(join(UNITS, 'aivoice-guard.service'));
  const seconds = (key: string) => Number(new RegExp(`^${key}=(\\d+)s$`, 'm').exec(unit)?.[1]);
  assert.ok(
    seconds('TimeoutStartSec') + seconds('TimeoutStopSec') <= 125,
    'it does not end when it is told to',
  );
});

it('a look at the release that finds another installer at work is taken again', () => {
  using placed = new Placed('image');
  const unit = placed.text(join(UNITS, 'aivoice-mend.service')).split('\n');
  assert.ok(unit.includes('RestartForceExitStatus=6'));
});

it('the appliance has an own user, a watchdog and bounds, and on the smallest board more memory than it is to take', () => {
  using placed = new Placed('image');
  const unit = placed.text(join(UNITS, 'aivoice.service'));
  for (const line of ['User=aivoice', 'SupplementaryGroups=audio dialout', 'WatchdogSec=30s', 'TasksMax=512'])
    assert.ok(unit.split('\n').includes(line), line);
  const share = (key: string) => Number(new RegExp(`^${key}=(\\d+)%$`, 'm').exec(unit)?.[1]) / 100;
  // 512 MB less what the kernel and the graphics keep for themselves.
  const [boardMb, groupMb] = [466, 210];
  assert.ok(share('MemoryHigh') * boardMb > groupMb * 1.2);
  assert.ok(share('MemoryMax') > share('MemoryHigh') && share('MemoryMax') < 0.8);
});

it('the journal is in RAM and bounded, and a system that hangs is restarted by the board', () => {
  using placed = new Placed('image');
  const told = ['journald.conf.d/10-aivoice.conf', 'system.conf.d/10-aivoice.conf'].map((name) =>
    placed.text(join('etc/systemd', name)),
  );
  assert.match(told[0] ?? '', /^Storage=volatile\nRuntimeMaxUse=16M$/m);
  assert.match(told[1] ?? '', /^RuntimeWatchdogSec=15s$/m);
});

it('enabled are the appliance, its guard, and on an image the provisioning and a look at the network', () => {
  const wants = join(UNITS, 'multi-user.target.wants');
  using image = new Placed('image');
  using host = new Placed('host');
  assert.deepEqual(readdirSync(join(image.root, wants)).sort(), [
    'aivoice-guard.service',
    'aivoice-network.timer',
    'aivoice-provision.service',
    'aivoice.service',
  ]);
  assert.deepEqual(readdirSync(join(host.root, wants)).sort(), ['aivoice-guard.service', 'aivoice.service']);
  assert.ok(lstatSync(join(host.root, wants, 'aivoice.service')).isSymbolicLink());
});

it('on the system of somebody else nothing is changed but what is ours', () => {
  using host = new Placed('host');
  const files = readdirSync(host.root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(host.root.length + 1));
  const foreign = files.filter(
    (path) => !/aivoice/.test(path) && !/^etc\/(passwd|group|shadow|gshadow|\.pwd\.lock)-?$/.test(path),
  );
  assert.deepEqual(foreign, []);
});

it('users have the numbers that the data on the card was written with, and nobody has a password', {
  skip: users.skip,
}, () => {
  using image = new Placed('image');
  assert.match(image.text('etc/passwd'), /^aivoice:x:900:900:/m);
  assert.match(image.text('etc/passwd'), /^owner:x:1000:1000:.*:\/bin\/bash$/m);
  assert.match(image.text('etc/group'), /^audio:x:29:aivoice$/m);
  assert.match(image.text('etc/group'), /^dialout:x:20:aivoice$/m);
  const passwords = image
    .text('etc/shadow')
    .trim()
    .split('\n')
    .map((line) => line.split(':')[1]);
  assert.deepEqual([...new Set(passwords)].sort(), ['!*', '*']);
  assert.match(image.text('etc/shadow'), /^owner:\*:/m);
});

it('placing again changes nothing, and wrong usage is told', () => {
  using image = new Placed('image');
  const before = image.text('etc/passwd') + image.text('etc/group');
  assert.equal(image.place('image').code, 0);
  assert.equal(image.text('etc/passwd') + image.text('etc/group'), before);
  assert.equal(image.place('toaster').code, 64);
});

it('the owner may do as root what the appliance needs, and no more', () => {
  using image = new Placed('image');
  assert.equal(image.mode('etc/sudoers.d/aivoice'), '440');
  const rules = image
    .text('etc/sudoers.d/aivoice')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.deepEqual(rules, [
    // Keys of a URL do not come into the journal.
    'Cmnd_Alias AIVOICE = /usr/local/bin/aivoice-install, /usr/local/bin/aivoice',
    'Defaults!AIVOICE !log_allowed',
    'owner ALL=(root) NOPASSWD: /usr/local/bin/aivoice-install, /usr/local/bin/aivoice, /usr/bin/systemctl restart aivoice.service',
  ]);
});

it('sshd takes keys only, and of the owner only', { skip: sshd.skip }, () => {
  using image = new Placed('image');
  const file = 'etc/ssh/sshd_config.d/aivoice.conf';
  const key = join(image.root, 'host_key');
  run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  image.put(file, image.text(file).replace(/^HostKey .*$/m, `HostKey ${key}`));
  const { code, text } = run(sshd.path, ['-T', '-f', join(image.root, file)]);
  assert.equal(code, 0, text);
  for (const line of [
    'passwordauthentication no',
    'kbdinteractiveauthentication no',
    'permitrootlogin no',
    'allowusers owner',
    'authorizedkeysfile /etc/ssh/keys/%u.authorized_keys',
  ])
    assert.ok(text.split('\n').includes(line), line);
  assert.match(
    image.text(join(UNITS, 'ssh.service.d/10-aivoice.conf')),
    /^ConditionPathExists=\/etc\/ssh\/keys\/owner\.authorized_keys$/m,
  );
});

it('where another has the number already, the appliance gets one that is free', { skip: users.skip }, () => {
  using host = new Placed('host');
  for (const file of ['etc/passwd', 'etc/group'])
    host.put(
      file,
      host
        .text(file)
        .replace(/^aivoice:.*\n/m, file === 'etc/passwd' ? 'other:x:900:900::/:/bin/sh\n' : 'other:x:900:\n'),
    );
  host.put('etc/shadow', host.text('etc/shadow').replace(/^aivoice:.*\n/m, ''));
  host.put('etc/gshadow', host.text('etc/gshadow').replace(/^aivoice:.*\n/m, ''));
  assert.equal(host.place('host').code, 0);
  const [, , uid, gid] = /^aivoice:.*$/m.exec(host.text('etc/passwd'))?.[0].split(':') ?? [];
  assert.notEqual(uid, '900');
  assert.match(host.text('etc/group'), new RegExp(`^aivoice:x:${gid}:$`, 'm'));
  assert.notEqual(gid, '900');
});
