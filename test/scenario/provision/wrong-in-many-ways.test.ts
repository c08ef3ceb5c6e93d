import assert from 'node:assert/strict';
import { it } from 'node:test';
import { proves } from '../../promises.ts';
import { Card, FILLED, PLACE } from './card.ts';

const LONG = 'あ'.repeat(11);

/** What is wrong, the file, and for each error: its line, its column, its setting, its code, and a word of what is said. */
const WRONG: readonly (readonly [title: string, text: string | Buffer, ...told: readonly RegExp[]])[] = [
  [
    'a value without quotes',
    'endpoint = wss://cloud.example/\n',
    /line 1, column 12 \| CONFIG_SYNTAX[\s\S]*text goes between "/,
  ],
  [
    'a quote that is not closed',
    'name = "room\nlanguage = "ja"\n',
    /line 1, .*CONFIG_SYNTAX[\s\S]*closing "/,
  ],
  [
    'a full-width equals sign',
    'name ＝ "room"\n',
    /line 1, .*CONFIG_SYNTAX[\s\S]*expected =, got the full-width ＝/,
  ],
  ['a setting twice', 'name = "a"\nname = "b"\n', /line 2, .*CONFIG_SYNTAX[\s\S]*once/],
  [
    'a slip in the name of a setting',
    'endpiont = "wss://cloud.example/"\n',
    /line 1, column 1 \| endpiont \| CONFIG_UNKNOWN_KEY[\s\S]*mean endpoint\?/,
  ],
  [
    'a setting of Wi-Fi above its table',
    'ssid = "home"\n',
    /line 1, column 1 \| ssid \| CONFIG_UNKNOWN_KEY[\s\S]*below \[wifi\]/,
  ],
  [
    'settings of the top below a table',
    '[wifi]\nssid = "a"\nname = "room"\n[audio]\nvolume = 3\nendpoint = "wss://cloud.example/"\n',
    /line 3, column 1 \| wifi\.name \| CONFIG_UNKNOWN_KEY[\s\S]*name belongs above the first \[table\]/,
    /line 6, column 1 \| audio\.endpoint \| CONFIG_UNKNOWN_KEY[\s\S]*endpoint belongs above the first \[table\]/,
  ],
  [
    'a value at odds with the default of another',
    '[endpoint]\nping_ms = 30000\n',
    /line 1, column 2 \| endpoint\.dead_ms \| CONFIG_INVALID[\s\S]*at least ping_ms/,
  ],
  [
    'Wi-Fi without its name',
    '\n[wifi]\npassword = "12345678"\n',
    /line 2, column 2 \| wifi \| CONFIG_INVALID[\s\S]*ssid/,
  ],
  [
    'a name of 33 bytes',
    `[wifi]\nssid = "${LONG}"\n`,
    /line 2, column 8 \| wifi\.ssid \| CONFIG_INVALID[\s\S]*got 33/,
  ],
  [
    'a password of seven characters',
    '[wifi]\nssid = "a"\npassword = "1234567"\n',
    /line 3, column 12 \| wifi\.password[\s\S]*8 to 63 characters/,
  ],
  [
    'a password that is a number',
    '[wifi]\nssid = "a"\npassword = 12345678\n',
    /line 3, column 12 \| wifi\.password[\s\S]*text between "/,
  ],
  [
    'a password in Japanese',
    '[wifi]\nssid = "a"\npassword = "ぱすわーどです"\n',
    /line 3, column 12 \| wifi\.password[\s\S]*ASCII/,
  ],
  [
    'an address that is none',
    'endpoint = "cloud.example"\n',
    /line 1, column 12 \| endpoint \| ENDPOINT_INVALID[\s\S]*wss:\/\//,
  ],
  [
    'a private key',
    'ssh_key = "-----BEGIN OPENSSH PRIVATE KEY-----"\n',
    /line 1, column 11 \| ssh_key[\s\S]*private key/,
  ],
  ['a cut key', 'ssh_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5"\n', /line 1, column 11 \| ssh_key[\s\S]*cut/],
  ['no such time zone', 'time_zone = "Tokyo"\n', /line 1, column 13 \| time_zone[\s\S]*Asia\/Tokyo/],
  [
    'a wrong value of the appliance',
    '[audio]\n\nvolume = 300\n',
    /line 3, column 10 \| audio\.volume \| CONFIG_INVALID[\s\S]*from 0 to 100/,
  ],
  [
    'Shift_JIS',
    Buffer.from('6e616d65203d2022838a8372220a', 'hex'),
    /line 1 \| CONFIG_ENCODING[\s\S]*Shift_JIS/,
  ],
  ['nothing', ' \r\n', /CONFIG_EMPTY/],
  [
    'several at once',
    'language = "jp"\n[wifi]\nssid = ""\ncontry = "JP"\n[voice]\nmode = "loud"\n[radio]\n',
    /line 1, column 12 \| language/,
    /line 3, column 8 \| wifi\.ssid/,
    /line 4, column 1 \| wifi\.contry[\s\S]*mean country\?/,
    /line 6, column 8 \| voice\.mode/,
    /line 7, column 2 \| radio/,
  ],
];

for (const [title, text, ...told] of WRONG) {
  it(`a file with ${title} is left with the place and what was expected beside it, and nothing is changed`, async () => {
    proves('provision-whole');
    using card = new Card();
    await card.boot();
    const before = Object.fromEntries(card.everything());
    card.put(PLACE.given, text);
    const { code } = await card.boot();
    assert.equal(code, 0);
    const errors = card.text(PLACE.errors);
    for (const pattern of told) assert.match(errors, pattern);
    const count = errors.match(/^.*\| ?CONFIG_\w+|^CONFIG_\w+|^.*\| ENDPOINT_\w+/gm)?.length;
    assert.equal(count, told.length, errors);
    const after = Object.fromEntries(card.everything());
    for (const path of ['calls', PLACE.errors, PLACE.given]) {
      delete after[path];
      delete before[path];
    }
    assert.deepEqual(after, before);
    assert.deepEqual(Buffer.from(card.text(PLACE.given)).length > 0, true);
  });
}

it('the errors are told in Japanese and English, and go when the file is mended', async () => {
  using card = new Card();
  card.put(PLACE.given, FILLED.replace('volume = 30', 'volume = "loud"'));
  await card.boot();
  assert.match(card.text(PLACE.errors), /誤り[\s\S]*has 1 error\.[\s\S]*整数[\s\S]*whole number/);
  card.put(PLACE.given, FILLED);
  await card.boot();
  assert.deepEqual(card.names('boot/firmware'), []);
});

it('errors that stay the same are written once', async () => {
  using card = new Card();
  card.put(PLACE.given, 'nam = "a"\nvolume\n');
  await card.boot();
  const before = card.text(PLACE.errors);
  assert.notEqual(before, '');
  card.put('boot/firmware/aivoice-errors.txt', before);
  await card.boot();
  assert.equal(card.text(PLACE.errors), before);
});

it('an error that the settings had before is not put to the account of the file', async () => {
  using card = new Card();
  card.put(PLACE.settings, '[audio]\nvolume = 300\n');
  card.put(PLACE.given, 'language = "en"\n');
  await card.boot();
  assert.equal(card.text(PLACE.errors), '');
  assert.match(card.text(PLACE.settings), /language = "en"/);
});
