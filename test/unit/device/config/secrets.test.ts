import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { fingerprint, redactor, Secret } from '../../../../device/config/secrets.ts';

const KEY = 'CANARY%2BtOk3n%3D';
const PLAIN = 'CANARY+tOk3n=';
const URL_WITH_KEY = `wss://mock.example/mcp/?token=${KEY}`;
const MASKED = `wss://mock.example/mcp/?token=***${fingerprint(KEY)}`;
const hide = redactor([URL_WITH_KEY]);

test('the whole address keeps its host and a fingerprint', () => {
  assert.equal(hide(`dialling ${URL_WITH_KEY} now`), `dialling ${MASKED} now`);
  assert.match(MASKED, /\*\*\*[0-9a-f]{4}$/);
});

test('two keys can be told apart, and one key has one fingerprint in each of its spellings', () => {
  assert.notEqual(fingerprint('one-key'), fingerprint('other-key'));
  assert.equal(fingerprint(KEY), fingerprint(PLAIN));
});

test('no spelling of the address or of its key gets through', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const spellings = [KEY, PLAIN, URL_WITH_KEY, URL_WITH_KEY.replace(KEY, PLAIN)].flatMap((text) => [
    text,
    encodeURIComponent(text),
    encodeURIComponent(encodeURIComponent(text)).replaceAll('%25', '%'),
    JSON.stringify(text),
    base64(text),
    base64(`a${text}b`),
    base64(`ab${text}`),
    Buffer.from(`abc${text}`).toString('base64url'),
  ]);
  for (const spelling of spellings) {
    const safe = hide(`{"text":"before ${spelling} after"}`);
    assert.doesNotMatch(safe, /CANARY|tOk3n/, spelling);
    for (const shift of [0, 1, 2]) {
      const part = base64(`${'x'.repeat(shift)}CANARY`).slice(shift === 0 ? 0 : shift + 1, -3);
      assert.ok(!safe.includes(part), `${spelling} -> ${safe}`);
    }
  }
});

test('a password before the host is hidden too', () => {
  const safe = redactor(['wss://user:passw0rd@h/x?token=abcdef'])(
    'passw0rd wss://user:passw0rd@h/x?token=abcdef',
  );
  assert.doesNotMatch(safe, /passw0rd|abcdef/);
});

test('the key of an address that nobody told is hidden, with a fingerprint', () => {
  const none = redactor([]);
  assert.equal(
    none('to wss://h/mcp/?a=1&token=unknown&b=2 failed'),
    `to wss://h/mcp/?a=1&token=***${fingerprint('unknown')}&b=2 failed`,
  );
  assert.equal(none('ws://me:secret@h/'), 'ws://***@h/');
});

test('what is hidden already stays as it is', () => {
  assert.equal(hide(MASKED), MASKED);
  assert.equal(hide(hide(URL_WITH_KEY)), MASKED);
});

test('short and numeric keys are hidden inside token= only, so that words and JSON stay whole', () => {
  const short = redactor(['wss://h/?token=ab']);
  assert.equal(short('about wss://h/?token=ab'), `about wss://h/?token=***${fingerprint('ab')}`);
  const numeric = redactor(['wss://h/?token=12345678']);
  assert.equal(numeric('{"ms":12345678}'), '{"ms":12345678}');
  assert.doesNotMatch(numeric('wss://h/?token=12345678'), /123/);
});

test('a JSON line is still JSON afterwards', () => {
  const line = JSON.stringify({ event: 'dial', url: URL_WITH_KEY, text: `"${PLAIN}"\n` });
  assert.deepEqual(JSON.parse(hide(line)), {
    event: 'dial',
    url: MASKED,
    text: `"***${fingerprint(KEY)}"\n`,
  });
});

test('a secret that is no address is hidden by value', () => {
  assert.equal(redactor(['CANARYwifi!'])('psk=CANARYwifi! ok'), `psk=***${fingerprint('CANARYwifi!')} ok`);
});

test('a key of several lines is hidden line by line, as a log takes what a program prints', () => {
  const key = '-----BEGIN KEY-----\nCANARYone\r\n  CANARYtwo\n-----END KEY-----\n';
  const hide = redactor([key]);
  for (const line of [...key.split('\n'), key, JSON.stringify({ key })])
    assert.doesNotMatch(hide(line), /CANARY/);
});

test('a Secret prints as *** however it is printed, and gives its value when asked', () => {
  const secret = new Secret(URL_WITH_KEY);
  assert.equal(
    `${secret} ${JSON.stringify({ secret })} ${inspect({ secret })}`,
    '*** {"secret":"***"} { secret: *** }',
  );
  assert.equal(secret.reveal(), URL_WITH_KEY);
  assert.equal(secret.masked(), MASKED);
});

test('an address without token= loses its whole query, and one without a query stays', () => {
  assert.equal(new Secret('wss://h/x?key=abcdef').masked(), `wss://h/x?***${fingerprint('key=abcdef')}`);
  assert.equal(new Secret('ws://127.0.0.1:8080/mcp/').masked(), 'ws://127.0.0.1:8080/mcp/');
});
