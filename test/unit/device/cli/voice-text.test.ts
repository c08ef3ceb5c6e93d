import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { inJapanese } from '../../../../device/cli/reason-text.ts';

const DEVICE = join(import.meta.dirname, '../../../../device');
/** Rooms that give reasons, and how many at least: fewer are no longer found. */
const ROOMS = { audio: 3, terminal: 3, voice: 3, assistant: 3, network: 2, storage: 3 };

/** Codes that no status holds: slips of ours, ends that were asked for, and what only a cloud is told. */
const UNSEEN = ['INTERNAL', 'STOPPED', 'AUDIO_PACKET', 'MUTED', 'USAGE', 'CALL_TIMEOUT', 'TOO_LARGE'];
/** What else looks like a reason: an end that was asked for, the event of a detector, and a word for the cloud. */
const NO_REASON = ['stopped', 'closed', 'closed 1000', 'started', 'ended', 'wake_word_detected'];

const TEXT = /'[^'\n]*'|`[^`]*`/.source;
const PLACES = [
  `new Fault\\(\\s*(?<code>[^,()]+),\\s*(?<text>${TEXT})`,
  `\\b(?:reason(?::| =)|what:) (?<text>${TEXT})`,
  `#(?:end|over)\\((?<code>'\\w+'), (?<text>${TEXT})`,
].map((place) => new RegExp(place, 'g'));

/** What a piece of a text may be; a number where it is not here. */
const PIECES: Readonly<Record<string, string>> = {
  what: 'read',
  where: 'audio.wake_folder is not set',
  'WORDS[code]': 'no such port',
  'ending.reason': 'exited 1',
  'conversion(this.#format)': 'not asked yet',
  muted: '',
  reason: 'exited 1',
  "terminal.muted ? ', microphone off' : ''": ', microphone off',
};

suite('The status in Japanese', () => {
  for (const [room, least] of Object.entries(ROOMS)) {
    test(`tells every reason and every proof of ${room}`, () => {
      const said = reasonsOf(join(DEVICE, room));
      assert.ok(said.length >= least, 'reasons are found');
      assert.deepEqual(
        said.filter((text) => inJapanese(text) === text),
        [],
      );
    });
  }

  test('tells what is made of several pieces', () => {
    for (const [english, japanese] of [
      [
        'hw:1: 48000 Hz stereo, converted to 16000 Hz mono, muted',
        'hw:1: 48000 Hz ステレオを 16000 Hz モノラルに変換、マイクオフ',
      ],
      ['hw:CARD=Array,DEV=0: 16000 Hz with 6 channels', 'hw:CARD=Array,DEV=0: 16000 Hz 6 チャンネル'],
      ['default: not asked yet, muted', 'default: 未確認、マイクオフ'],
      ['bench 1.0, microphone off', 'bench 1.0、マイクオフ'],
      ['recorder killed by SIGKILL', '録音: SIGKILL で終了'],
      [
        'recorder exited 1: audio open error: Device or resource busy',
        '録音: 終了コード 1 で終了（audio open error: Device or resource busy）',
      ],
      [
        'the player exited 1: audio open error: No such file or directory',
        '再生: 終了コード 1 で終了（audio open error: No such file or directory）',
      ],
      [
        'hw:1: exited 1: audio open error: Permission denied; none of the cards here may be used',
        'hw:1: 終了コード 1 で終了（audio open error: Permission denied）; この機器のサウンドカードを使う権限がない',
      ],
      [
        'hw:1 (USB マイク) gives no sound at 16000 Hz mono, 48000 Hz stereo (exited 1); set audio.microphone to plughw:1',
        'hw:1 (USB マイク) はどの形式でも音が来ない: 16000 Hz モノラル、48000 Hz ステレオ（exited 1）; audio.microphone を plughw:1 にしてください',
      ],
      [
        'wake word hey_jarvis, CC BY-NC-SA 4.0, non-commercial',
        'ウェイクワード hey_jarvis（CC BY-NC-SA 4.0、非商用）',
      ],
      ['wake word こんにちは, own model', 'ウェイクワード こんにちは（自作モデル）'],
      ['no answer to HELLO in 15000 ms', '15000 ミリ秒以内に挨拶の返事なし'],
      ['code A1B2', 'コード A1B2'],
      ['/dev/x: not usable as a serial port', '/dev/x: シリアルポートとして使えない'],
    ] as const) {
      assert.equal(inJapanese(english), japanese);
    }
  });

  test('tells every phase of a turn', () => {
    for (const phase of ['idle', 'connecting', 'listening', 'thinking', 'speaking', 'guard'])
      assert.notEqual(inJapanese(phase), phase);
  });
});

function reasonsOf(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return sources
    .flatMap((source) => PLACES.flatMap((place) => [...source.matchAll(place)]))
    .filter(({ groups }) => !UNSEEN.includes(groups?.code?.replaceAll("'", '') ?? ''))
    .map(({ groups }) => spoken(groups?.text ?? ''))
    .filter((text) => !NO_REASON.includes(text));
}

function spoken(text: string): string {
  return text.slice(1, -1).replace(/\$\{([^}]*)\}/g, (_all, piece: string) => PIECES[piece] ?? '7');
}
