import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { Placed, run } from './placed.ts';

const NOTE = 'boot/firmware/aivoice-errors.txt';
const TROUBLE = 'run/aivoice-network';
const PROFILE = 'etc/NetworkManager/system-connections/aivoice-wifi.nmconnection';
const FAILED = (from: string, reason: string) =>
  `<info>  [1.2] device (wlan0): state change: ${from} -> failed (reason '${reason}', managed-type: 'full')`;

/** A board with a radio and a Wi-Fi that was asked for; the programs that it asks are stand-ins. */
class Board extends Placed {
  constructor() {
    super('image');
    this.put(PROFILE, 'psk=CANARY\n');
    this.put('sys/class/net/wlan0/phy80211/name', 'phy0\n');
    this.put('boot/firmware/config.txt', '');
    this.put('run/lock', '');
    this.standIn('mount', '');
    this.standIn('nmcli', 'exit 4');
    this.network(false);
    this.journal();
  }

  standIn(name: string, script: string): void {
    const note = `echo "${name} $*" >>'${join(this.root, 'calls')}'`;
    this.put(join('stand-ins', name), `#!/bin/sh\n${note}\n${script}\n`, 0o755);
  }

  /** Whether a card has an address. */
  network(isThere: boolean): void {
    this.standIn('ip', isThere ? 'echo "3: wlan0 inet 192.0.2.7/24 scope global"' : '');
  }

  journal(...lines: readonly string[]): void {
    this.put('journal', [...lines, ''].join('\n'));
    this.standIn('journalctl', `cat '${join(this.root, 'journal')}'`);
  }

  /** One look; resolves with what it said. */
  look(): string {
    const PATH = `${join(this.root, 'stand-ins')}:${process.env.PATH}`;
    const { code, text } = run(join(this.root, 'opt/aivoice/bin/mend-network'), [], {
      PATH,
      AIVOICE_ROOT: this.root,
    });
    assert.equal(code, 0, text);
    return text;
  }

  get note(): string {
    return this.has(NOTE) ? this.text(NOTE) : '';
  }

  asked(program: string): string[] {
    return (this.has('calls') ? this.text('calls') : '')
      .split('\n')
      .filter((call) => call.startsWith(`${program} `));
  }
}

const CAUSES: readonly (readonly [string, readonly string[], RegExp])[] = [
  [
    'a wrong password',
    [FAILED('need-auth', 'no-secrets')],
    /^\ufeffNET_AUTH.*パスワード.*\r\nNET_AUTH.*password.*\r\n$/,
  ],
  ['a network that is not there', [], /NET_NOT_FOUND.*ssid/],
  ['a hidden network that is not there', [FAILED('config', 'ssid-not-found')], /NET_NOT_FOUND.*ssid/],
  ['a router that gives no address', [FAILED('ip-config', 'ip-config-unavailable')], /NET_NO_ADDRESS.*DHCP/],
  ['anything else', [FAILED('config', 'supplicant-timeout')], /NET_DOWN.*supplicant-timeout/],
  [
    'the last of several causes',
    [FAILED('config', 'ssid-not-found'), FAILED('need-auth', 'no-secrets'), 'device (wlan0): other words'],
    /NET_AUTH/,
  ],
];
for (const [title, journal, expected] of CAUSES) {
  it(`the Wi-Fi is silent: ${title} is told on the card and in the journal, without the password`, () => {
    using board = new Board();
    board.journal(...journal);
    const said = board.look();
    assert.match(board.note, expected);
    assert.match(said, /^NET_[A-Z_]+: .+\n$/);
    assert.equal(board.text(TROUBLE), `${said.split(':')[0]}\n`);
    assert.equal(`${said}${board.note}`.includes('CANARY'), false);
  });
}

it('the Wi-Fi is silent: a board without a radio says so', () => {
  using board = new Board();
  board.put('sys/class/net/eth0/address', '');
  run('rm', ['-r', join(board.root, 'sys/class/net/wlan0')]);
  board.look();
  assert.match(board.note, /NET_NO_RADIO/);
});

it('the Wi-Fi stays away after the router has started anew: what was given up is tried again', () => {
  using board = new Board();
  board.journal(FAILED('need-auth', 'no-secrets'));
  board.look();
  assert.deepEqual(board.asked('nmcli'), ['nmcli --wait 60 connection up id aivoice-wifi']);
  board.standIn('nmcli', `printf '#!/bin/sh\\necho 192.0.2.7\\n' >'${join(board.root, 'stand-ins/ip')}'`);
  board.look();
  assert.equal(board.asked('nmcli').length, 2);
  assert.equal(board.has(NOTE), false);
});

it('what NetworkManager tries again itself is left to it', () => {
  using board = new Board();
  board.journal(FAILED('config', 'ssid-not-found'));
  board.look();
  assert.deepEqual(board.asked('nmcli'), []);
});

it('the same cause is written once, and goes when there is a network', () => {
  using board = new Board();
  board.look();
  board.look();
  const writable = () => board.asked('mount').filter((call) => call.includes('remount,rw')).length;
  assert.equal(writable(), 1);
  board.network(true);
  board.look();
  assert.deepEqual([board.has(NOTE), board.has(TROUBLE)], [false, false]);
  assert.equal(writable(), 2);
  assert.equal(board.asked('mount').length, 4);
});

it('a power cut in the middle of the note leaves no empty one for ever', () => {
  using board = new Board();
  board.put(NOTE, '');
  board.look();
  assert.match(board.note, /NET_NOT_FOUND/);
});

it('what provisioning has written on the card stays', () => {
  using board = new Board();
  board.put(NOTE, '\ufeffaivoice.toml に 1 か所の誤りがあります。\r\n');
  board.look();
  assert.match(board.note, /誤り/);
  board.network(true);
  board.look();
  assert.match(board.note, /誤り/);
});

it('where no Wi-Fi was asked for, or a cable has an address, nothing is written and nothing is asked of the radio', () => {
  using board = new Board();
  board.network(true);
  board.look();
  run('rm', [join(board.root, PROFILE)]);
  board.network(false);
  board.look();
  assert.deepEqual([...board.asked('mount'), ...board.asked('nmcli'), ...board.asked('journalctl')], []);
});
