import assert from 'node:assert/strict';
import { it } from 'node:test';
import { shownLine, shownPath } from '../../../../deploy/provision/file/shown.ts';

it('a line is shown without what may be a key', () => {
  const cases: readonly (readonly [line: string, shown: string])[] = [
    ['volume = 300', 'volume = 300'],
    ['  ssid = "home"', '  ssid = "home"'],
    ['name = "living room" # mine', 'name = "living room"'],
    ['language = "jp"', 'language = "jp"'],
    ['password = "abc"', 'password = ***'],
    ['PASSWORD="abc"', 'PASSWORD=***'],
    ['password = 1234', 'password = ***'],
    ['endpoint ＝ wss://x/?token=abc', 'endpoint ＝ ***'],
    ['token: abc', 'token: ***'],
    ['activation_url = "https://x"', 'activation_url = ***'],
    ['server = "wss://x/abc" # y', 'server = ***'],
    ['name = "wss://x/abc"', 'name = "***"'],
    ['[wifi]', '[wifi]'],
    ['[wifi] abc', '[wifi]'],
    ['[ "abc", "d" ]', '***'],
    ['abcdefg', '***'],
    ['name abc', '***'],
    ['wss://x/abc=d', '***'],
    ['wss：//x/abc', 'wss：***'],
  ];
  for (const [line, shown] of cases) assert.equal(shownLine(line), shown);
});

it('the password is in the errors: under a name with a slip in it', () => {
  for (const key of ['pasword', 'pwd', 'Pass', 'パスワード', 'wifi.psw', 'endpont', 'tokn'])
    for (const value of ['"abc"', 'abc', "'abc'", '1234'])
      assert.equal(
        shownLine(`${key} = ${value}`),
        key === 'パスワード' && value === '1234' ? `${key} = 1234` : `${key} = ***`,
      );
});

it('the password is in the errors: beside another setting in one line', () => {
  assert.equal(shownLine('wifi = { ssid = "home", password = "abc" }'), 'wifi = ***');
  assert.equal(shownLine('ssid = "home" password = "abc"'), 'ssid = "home" ***');
  assert.equal(shownLine('ssid = home password = abc'), 'ssid = ***');
  assert.equal(shownLine('volume = 3 abc'), 'volume = 3 ***');
});

it('a key that was pasted to where a name is due is in the errors and the log', () => {
  const token = 'eyJhbGciOi0123';
  assert.equal(shownLine(`${token} = 1`), '***');
  assert.equal(shownLine(`[${token}]`), '***');
  assert.equal(shownPath(`wifi.${token}`), 'wifi.…');
  assert.equal(shownPath(`wss://cloud.example/${token}`), '….…');
  assert.equal(shownPath('voice.activation_url'), 'voice.activation_url');
  assert.equal(shownPath('Endpoint'), 'Endpoint');
});

it('a long line is cut', () => {
  assert.equal(shownLine(`name = "${'x'.repeat(1000)}"`).length, 100);
});
