import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inJapanese } from '../../../../device/cli/reason-text.ts';

test('reasons and proofs are told in Japanese, with the names and numbers in them', () => {
  for (const [english, japanese] of [
    ['answered', '応答'],
    ['dialling', '接続中'],
    ['reconnecting, last close 1006', '再接続中、切断コード 1006'],
    ['reconnecting, dial failed: ECONNREFUSED', '再接続中、接続できない（ECONNREFUSED）'],
    ['reconnecting, HTTP 401 instead of a WebSocket', '再接続中、WebSocket ではなく HTTP 401'],
    ['killed by SIGKILL', 'SIGKILL で終了'],
    ['command not found: npx', 'コマンドが見つからない: npx'],
    ['initialize refused: not today', 'initialize を拒否: not today'],
    ['/dev/serial/by-id/usb-x: no such port', '/dev/serial/by-id/usb-x: ポートがない'],
    ['refused in words before the hello, last close 1000', 'クラウドが挨拶の前に拒否、切断コード 1000'],
    ['the player exited 1', '再生: 終了コード 1 で終了'],
    ['code 123456', 'コード 123456'],
    ['48000 Hz stereo, converted to 16000 Hz mono', '48000 Hz ステレオを 16000 Hz モノラルに変換'],
    ['listening; speech detection', '聞いています; 発話検出'],
    ['no errors', '異常なし'],
    ['the data partition is lost', 'データ領域が壊れている'],
    ['there is no data partition', 'データ領域がない'],
    ['a part of the data cannot be kept', 'データの一部を残せない'],
    ['nothing is known of the data partition', 'データ領域の状態が分からない'],
    ['7 errors since it was checked', '検査の後にエラー 7 回'],
    ['system asked', 'システムに確認'],
    ['not ready after 15000 ms', '15000 ミリ秒たっても準備できない'],
    [
      'a.toml:2:8: voice.mode: expected "auto" or "manual", got "x"',
      'a.toml:2:8: voice.mode: "auto" か "manual" が必要です（今は "x"）',
    ],
    ['no verb statsu; did you mean status?', 'そのようなコマンドはない: statsu; もしかして "status" ですか'],
  ] as const) {
    assert.equal(inJapanese(english), japanese);
  }
});

test('what is not known stays as it came, also where it holds a dollar', () => {
  assert.equal(inJapanese('a; b $1; '), 'a; b $1; ');
  assert.equal(inJapanese('m.json:1:2: expected $1'), 'm.json:1:2: expected $1');
  assert.equal(inJapanese('command not found: $&'), 'コマンドが見つからない: $&');
});

test('why an update was undone is told in Japanese, also as the reason of its part', () => {
  const table: [string, string][] = [
    ['no answer after 120 s', '120 秒たっても応答なし'],
    ['no answer; the unit failed', '応答なし; サービスが起動しない'],
    ['calculate: expected 329312, got no answer', 'calculate: 329312 のはずが応答なし'],
    ['calculate: expected 329312, got "42"', 'calculate: 329312 のはずが "42"'],
    ['voice is degraded, INTERNAL, x', 'voice が準備できない: INTERNAL, x'],
    ['voice is degraded, INTERNAL, x after 125 s', '125 秒たっても voice が準備できない: INTERNAL, x'],
    ['files is starting after 90 s', '90 秒たっても files が準備できない'],
    ['my weather is missing after 90 s', '90 秒たっても my weather がない'],
    ['files is missing', 'files がない'],
    [
      'nothing can be called, calculate could before',
      '呼び出せるツールがない（前は calculate を呼び出せた）',
    ],
    [
      'files is failed, SERVER_EXITED; the unit failed',
      'files が準備できない: SERVER_EXITED; サービスが起動しない',
    ],
    ['version 1.0.0 answers; it ended 3 times', '別の版（1.0.0）が応答した; 3 回終了した'],
    ['it ended 3 times', '3 回終了した'],
    ['1.3.0 undone (crashes): it ended 3 times', '1.3.0 を取り消し（crashes）: 3 回終了した'],
    ['1.3.0 undone (start): of its own', '1.3.0 を取り消し（start）: of its own'],
  ];
  for (const [english, japanese] of table) assert.equal(inJapanese(english), japanese);
});
