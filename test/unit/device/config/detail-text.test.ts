import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULTS } from '../../../../device/config/defaults.ts';
import { detailInJapanese } from '../../../../device/config/detail-text.ts';
import { parseSettings } from '../../../../device/config/schema.ts';

const CONFIG = join(import.meta.dirname, '../../../../device/config');

/** A text of the sources that begins as details do, and is no key. */
const TEXT =
  /(?<text>'(?:; |, )?(?:expected|this name|there is no|trailing|not UTF-8|only blanks|its links|permission|it looks|\d bytes)[^'\\\n]*(?:\\.[^'\\\n]*)*'|`(?:; |, )?(?:expected|this (?:name|file)|there is no|the variable|\$\{name\} is|trailing|not UTF-8|only blanks|it looks|did you|known)(?:\\.|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|[^`\\])*`)(?!:)/g;

/** What a piece of a text may be; 7 where it is not here. */
const PIECES: Readonly<Record<string, string>> = {
  'file.detail': 'there is no such file',
  hint: 'did you mean "args"?',
  expected: 'text',
  got: 'nothing',
  usual: 'wss',
  plain: 'ws',
  where: ', first at 2:3',
  name: 'NAME',
  'guessEncoding(bytes)': '; it looks like Shift_JIS: save it as UTF-8',
  "found === 'euc-jp' ? 'EUC-JP' : 'Shift_JIS'": 'EUC-JP',
  "bracket === '{' ? '}' : ']'": '}',
  bracket: '{',
  'file.text[offset]': ']',
  found: '}',
  meant: '"',
  other: ']',
  code: 'InvalidSymbol',
  "READY.join(', ')": 'alexa, hey_mycroft',
  "root.type === 'array' ? [] : root.value, true": '',
};

test('every phrase of the schema has its Japanese', () => {
  const phrases = new Set(Object.entries(DEFAULTS).flatMap(([name, value]) => phrasesOf(name, value)));
  for (const [table, low, high] of [
    ['endpoint', 'ping_ms', 'dead_ms'],
    ['voice', 'hello_again_ms', 'hello_timeout_ms'],
  ] as const)
    for (const phrase of expectedOf({ [table]: { [low]: 200, [high]: 100 } })) phrases.add(phrase);
  for (const phrase of expectedOf({ time_zone: 'x' })) phrases.add(phrase);
  assert.ok(phrases.size > 30, 'phrases are found');
  assert.deepEqual(untold([...phrases].map((phrase) => `expected ${phrase}, got nothing`)), []);
});

test('every phrase of the checks beside the schema has its Japanese', () => {
  const details = readdirSync(CONFIG)
    .filter((file) => !file.startsWith('detail-'))
    .flatMap((file) => detailsIn(readFileSync(join(CONFIG, file), 'utf8')));
  assert.ok(details.length > 60, `${details.length} phrases are found`);
  assert.deepEqual(untold(details), []);
});

test('what a reader has to do is said in whole sentences', () => {
  for (const [english, japanese] of [
    ['expected "auto" or "ja" or "en", got "jp"', '"auto"、"ja" か "en" が必要です（今は "jp"）'],
    [
      'expected audio.echo_cancelled = true beside "realtime", got audio.echo_cancelled = false',
      '"realtime" には audio.echo_cancelled = true が必要です（今は false）',
    ],
    [
      'expected an address that begins with wss:// (or ws://), got one that begins with http://',
      'wss://（または ws://）で始まるアドレスが必要です（今は http:// で始まるもの）',
    ],
    [
      'this file: mode 644, expected 600 (chmod 600 /etc/a.toml)',
      'このファイルの権限は 600 にしてください（今は 644。chmod 600 /etc/a.toml）',
    ],
    [
      'there is no such setting; did you mean "microphone"?',
      'この設定項目はありません。もしかして "microphone" ですか',
    ],
    [
      'expected a whole number from 0 to 100, got "60"; write 60 without quotes',
      '0 から 100 までの整数が必要です（今は "60"）。60 を引用符なしで書いてください',
    ],
    [
      'expected "auto" or "off" or a whole number of bytes from 256, got 5',
      '"auto"、"off" か 256 以上の整数（バイト）が必要です（今は 5）',
    ],
    [
      'expected "off" or "auto" or "always" or {…} with async and asyncWaitMs, got something else',
      '"off"、"auto"、"always" か async や asyncWaitMs の入った {…} が必要です（今は 別のもの）',
    ],
    [
      'expected {…} of at most 1000 tools and modes, got something else',
      'ツールの名前と async の {…}（1000 個以下）が必要です（今は 別のもの）',
    ],
    ['expected } for the { at 3:5, got the end of the file', '3:5 の { を閉じる } がありません'],
    ['expected ", got “', '" が必要です（今は “）'],
  ] as const)
    assert.equal(detailInJapanese(english), japanese);
});

test('what is not known stays as it came', () => {
  for (const text of ['', 'some word of a parser', 'expected $1', 'expected a horse, got $&'])
    assert.equal(detailInJapanese(text), text);
});

/** The details that keep an English word where Japanese was due. */
function untold(details: readonly string[]): string[] {
  return details.filter((detail) => detail.split('; ').some((piece) => detailInJapanese(piece) === piece));
}

/** What the schema says of a list, a kind that no setting has, in the place of each value. */
function phrasesOf(name: string, value: unknown): string[] {
  const key = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const own = expectedOf({ [key]: [] });
  if (typeof value !== 'object' || value === null) return own;
  const inner = Object.keys(value).map((inside) =>
    inside.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  return [...own, ...inner.flatMap((inside) => expectedOf({ [key]: { [inside]: [] } }))];
}

function expectedOf(raw: object): string[] {
  const result = parseSettings(raw);
  assert.ok('issues' in result, JSON.stringify(raw));
  return result.issues.flatMap((issue) => (issue.kind === 'value' ? [issue.expected] : []));
}

function detailsIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(TEXT)].map(({ groups }) => spoken(groups?.text ?? ''));
}

/** The literal as the program says it. */
function spoken(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\\$/g, '\u0000')
    .replace(/\$\{((?:[^{}]|\{[^{}]*\})*?)\}/g, (_all, piece: string) => PIECES[piece] ?? '7')
    .replaceAll('\u0000', '$')
    .replace(/\\(.)/g, '$1')
    .replace(/^[;,] /, '');
}
