import assert from 'node:assert/strict';
import { it } from 'node:test';
import { proves } from '../../promises.ts';
import { Card, FILLED, PLACE } from './card.ts';

/** Where a key belongs. */
const OWN: readonly string[] = [PLACE.wifi, PLACE.endpoint, PLACE.token];

it('a key of the file stands where it belongs and nowhere else', async () => {
  proves('provision-secret');
  using card = new Card();
  card.put(PLACE.given, FILLED);
  const { said } = await card.boot();
  assert.equal(said.includes('CANARY'), false, said);
  const holders = [...card.everything()].filter(([, text]) => text.includes('CANARY')).map(([path]) => path);
  assert.deepEqual(holders.sort(), [...OWN].sort());
});

const BROKEN: Readonly<Record<string, string>> = {
  'a value of another setting': FILLED.replace('volume = 30', 'volume = 300'),
  'a quote that is not closed': FILLED.replace('CANARYwifi$1"', 'CANARYwifi$1'),
  'no quotes at all': FILLED.replaceAll('"', ''),
  'a full-width equals sign': FILLED.replaceAll(' = ', ' ＝ '),
  'a key that is pasted to where no setting is': `${FILLED}CANARYpasted\nname CANARYpasted\n`,
  'a key over several lines': 'endpoint = """wss://cloud.example/?a=\nCANARY=line\n"""\nvolume\n',
  'a key in a setting that nobody knows': 'api_key = "CANARY"\n[voice]\nurl = "http://x/?CANARY"\n',
  'a password under a name with a slip in it': '[wifi]\nssid = "a"\npasword = "CANARY"\n',
  'tables in one line':
    'wifi = { ssid = "", password = "CANARYwifi" }\nvoice = { token = "CANARY", mode = "loud" }\n',
  'a key as the name of a setting and of a table':
    'CANARY0 = 1\n"wss://x/CANARY1" = 2\n[CANARY2]\nvolume = 3\n',
  'a password in a comment': 'volume = 3 # CANARY\n',
  'an address below a name that tells nothing': 'server = "wss://cloud.example/CANARY"\n',
};

for (const [title, text] of Object.entries(BROKEN)) {
  it(`the errors and the log of a file with ${title} hold no key`, async () => {
    proves('provision-secret');
    using card = new Card();
    card.put(PLACE.given, text);
    const { said } = await card.boot();
    assert.notEqual(card.text(PLACE.errors), '');
    const holders = [...card.everything()]
      .filter(([, held]) => held.includes('CANARY'))
      .map(([path]) => path);
    assert.deepEqual(holders, [PLACE.given]);
    assert.equal(said.includes('CANARY'), false, said);
  });
}
