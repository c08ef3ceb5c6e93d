import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { stringify } from 'smol-toml';
import { proves } from '../../promises.ts';
import { forProof } from '../prerequisite.ts';
import { Card, PLACE } from './card.ts';

/** Reads a key file as GLib does, which is what NetworkManager reads it with; says what it found as JSON. */
const GLIB = `
import ctypes, json, sys
glib = ctypes.CDLL('libglib-2.0.so.0')
glib.g_key_file_new.restype = ctypes.c_void_p
glib.g_key_file_get_string.restype = ctypes.c_void_p
file = ctypes.c_void_p(glib.g_key_file_new())
text = sys.stdin.buffer.read()
if not glib.g_key_file_load_from_data(file, text, ctypes.c_size_t(len(text)), 0, None): sys.exit(3)
def told(group, key):
    found = glib.g_key_file_get_string(file, group, key, None)
    return None if not found else ctypes.string_at(found).decode()
print(json.dumps({'ssid': told(b'wifi', b'ssid'), 'psk': told(b'wifi-security', b'psk'), 'hidden': told(b'wifi', b'hidden')}))
`;
const probe = spawnSync('python3', ['-c', "import ctypes; ctypes.CDLL('libglib-2.0.so.0')"]);
const glib = forProof({
  path: 'python3',
  skip: probe.status === 0 ? false : 'needs python3 and libglib2.0-0',
});

interface Told {
  readonly ssid: string;
  readonly psk: string | null;
  readonly hidden: string | null;
}

async function told(wifi: Readonly<Record<string, unknown>>): Promise<Told> {
  using card = new Card();
  card.put(PLACE.given, stringify({ wifi }));
  await card.boot();
  assert.equal(card.text(PLACE.errors), '');
  const { status, stdout, stderr } = spawnSync('python3', ['-c', GLIB], {
    input: card.text(PLACE.wifi),
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Told;
}

const NAMES = [
  '自宅 5G',
  "Tarou's iPhone",
  'a"b\\c$d',
  '　全角空白　',
  '📡🏠',
  '0123456789abcdef0123456789abcdef',
  '  both ends  ',
  '12;34;',
  '5',
  '#comment',
  '[wifi]',
  'ssid=other',
];
for (const name of NAMES) {
  it(`the network ${JSON.stringify(name)} is kept byte for byte`, { skip: glib.skip }, async () => {
    proves('provision-wifi');
    const { ssid, psk } = await told({ ssid: name });
    // nm-settings-keyfile(5): a list of numbers is one of bytes.
    assert.match(ssid, /^(\d+;)+$/);
    assert.equal(Buffer.from(ssid.split(';').filter(Boolean).map(Number)).toString(), name);
    assert.equal(psk, null);
  });
}

const PASSWORDS = [
  'p=a+b&c%20d',
  '"\'\\`$!#@ ;',
  ' blanks at both ends ',
  '12345678',
  'x'.repeat(63),
  '0123456789abcdefABCDEF'.padEnd(64, '0'),
  '\\s\\n\\t\\\\',
];
for (const password of PASSWORDS) {
  it(`the password ${JSON.stringify(password)} is kept byte for byte`, { skip: glib.skip }, async () => {
    proves('provision-wifi');
    const { psk } = await told({ ssid: 'home', password });
    assert.equal(psk, password);
  });
}

it('a hidden network is asked for by its name', { skip: glib.skip }, async () => {
  assert.equal((await told({ ssid: 'home', hidden: true })).hidden, 'true');
  assert.equal((await told({ ssid: 'home', hidden: false })).hidden, null);
});
