import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '#kernel/fault.ts';
import { type Host, hostnameOf } from './host-settings.ts';
import { keepChanged, readText } from './kept-file.ts';
import type { Machine } from './machine.ts';

/** Tells the operating system what is kept for it. What one of them fails at keeps none of the others from its turn. */
export function applyHost(machine: Machine, host: Host, machineId: string): void {
  const steps = { hostname: setHostname, time_zone: setTimeZone, ntp: setNtp, radio: setRadio };
  for (const [name, step] of Object.entries(steps)) {
    try {
      step(machine, host, machineId);
    } catch (error) {
      machine.log.warn('host_step_failed', { step: name, reason: messageOf(error) });
    }
  }
}

function setHostname({ places }: Machine, { name }: Host, machineId: string): void {
  const { root, host } = places;
  const hostname = hostnameOf(name, machineId);
  // The first is for the next start, which sets it before anything can ask.
  keepChanged(join(host, 'hostname'), `${hostname}\n`, { mode: 0o644 });
  inPlace(join(root, 'etc/hostname'), `${hostname}\n`);
  inPlace(join(root, 'etc/hosts'), `127.0.0.1 localhost\n::1 localhost\n127.0.1.1 ${hostname}\n`);
  const pretty = (name ?? hostname).replace(/["\\$`]/g, '\\$&');
  inPlace(join(root, 'etc/machine-info'), `PRETTY_HOSTNAME="${pretty}"\n`);
  const live = join(root, 'proc/sys/kernel/hostname');
  if (existsSync(live)) inPlace(live, `${hostname}\n`);
}

function setTimeZone({ places: { root }, log }: Machine, { timeZone }: Host): void {
  if (timeZone === undefined) return;
  const zones = '/usr/share/zoneinfo';
  // Old names of zones are not in every tzdata; the one that it goes by today is.
  const today = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  const found = [timeZone, today].find((zone) => existsSync(join(root, zones, zone)));
  if (found === undefined) {
    log.warn('time_zone_unknown', { timeZone });
    return;
  }
  const link = join(root, 'etc/localtime');
  mkdirSync(dirname(link), { recursive: true });
  rmSync(`${link}.new`, { force: true });
  symlinkSync(join(zones, found), `${link}.new`);
  renameSync(`${link}.new`, link);
  inPlace(join(root, 'etc/timezone'), `${found}\n`);
}

function setNtp({ places: { root } }: Machine, { ntp }: Host): void {
  const file = join(root, 'run/systemd/timesyncd.conf.d/20-aivoice.conf');
  if (ntp === undefined) rmSync(file, { force: true });
  else inPlace(file, `[Time]\nNTP=${ntp.join(' ')}\n`);
}

/** Some systems keep the radio blocked until they know the country. The driver may be loaded now or later. */
function setRadio({ places: { root }, run, log }: Machine, { country }: Host): void {
  if (country !== undefined) {
    inPlace(
      join(root, 'run/modprobe.d/aivoice-country.conf'),
      `options cfg80211 ieee80211_regdom=${country}\n`,
    );
    const { code, said } = run('iw', ['reg', 'set', country]);
    if (code !== 0) log.info('country_not_set', { country, said });
  }
  if (!existsSync(join(root, 'sys/class/rfkill'))) return;
  const { code, said } = run('rfkill', ['unblock', 'wlan']);
  if (code !== 0) log.info('radio_not_unblocked', { said });
}

/** In RAM, or mounted as a file of its own: nothing to rename, and nothing that a power cut could spoil. */
function inPlace(path: string, text: string): void {
  if (readText(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
