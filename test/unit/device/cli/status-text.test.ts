import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusText } from '../../../../device/cli/status-text.ts';
import { sentence } from '../../../../device/kernel/codes.ts';
import { statusDocument } from '../../../../device/supervisor/status.ts';

const now = Date.UTC(2026, 10, 30, 0, 30);
const document = statusDocument({
  version: '1.2.3',
  parts: [
    {
      name: 'cloud',
      kind: 'endpoint',
      essential: false,
      state: 'degraded',
      since: now - 65_000,
      code: 'CLOUD_4004',
      reason: 'reconnecting, last close 4004',
      restarts: 0,
    },
    {
      name: 'B',
      kind: 'server',
      essential: false,
      state: 'failed',
      since: now - 7_300_000,
      code: 'SERVER_NOT_FOUND',
      reason: 'command not found: /nonexistent',
      restarts: 12,
      next: now + 59_500,
    },
    {
      name: 'files',
      kind: 'server',
      essential: false,
      state: 'ready',
      since: now - 200_000_000,
      proof: { what: 'answered', at: now - 4100 },
      reason: 'exited 3',
      ended: { what: 'exited 3', at: now - 8000 },
      restarts: 1,
      pid: 42,
    },
  ],
});

test('in English: a line a part, then what is to be done, with the part that it is for', () => {
  assert.deepEqual(statusText(document, 'en', now).split('\n'), [
    'aivoice 1.2.3: degraded',
    'cloud  degraded  for 1 min  proof: none yet          CLOUD_4004: reconnecting, last close 4004',
    'B      failed    for 2 h    proof: none yet          SERVER_NOT_FOUND: command not found: /nonexistent, restarts 12, next try in 59 s',
    'files  ready     for 2 d    proof: answered 4 s ago  restarts 1 (exited 3, 8 s ago), pid 42',
    'cloud: The cloud closed the line (4004). Reconnecting by itself.',
    'B: The command of the server was not found. Check its command in the settings.',
    '',
  ]);
});

test('in Japanese the columns stay aligned', () => {
  const lines = statusText(document, 'ja', now).split('\n');
  assert.equal(lines[0], 'aivoice 1.2.3: 一部異常');
  assert.match(lines[2]!, /^B {6}故障 {6}継続 2時間 {2}確認: まだなし {4}SERVER_NOT_FOUND: /);
  assert.equal(
    lines[3],
    'files  準備完了  継続 2日    確認: 応答 4秒前  再起動 1（終了コード 3 で終了、8秒前）、pid 42',
  );
  assert.match(lines[1]!, /CLOUD_4004: 再接続中、切断コード 4004$/);
  assert.match(lines[2]!, /コマンドが見つからない: \/nonexistent、再起動 12、/);
});

test('what is to be done for several parts is told once', () => {
  const parts = document.parts.map((part) => ({ ...part, code: 'NET_DOWN' }));
  const lines = statusText({ ...document, parts }, 'en', now).split('\n');
  assert.deepEqual(lines.slice(4), [`cloud, B, files: ${sentence('NET_DOWN', 'en')}`, '']);
  assert.match(statusText({ ...document, parts }, 'ja', now), /^cloud、B、files: クラウドに届きません。/m);
});

test('where the language is not known, the state has both', () => {
  assert.match(statusText(document, 'both', now), /^files {2}準備完了 \/ ready {5}for 2 d/m);
});

const voice = statusDocument({
  version: '1.2.3',
  parts: [
    {
      name: 'terminal',
      kind: 'terminal',
      essential: false,
      state: 'ready',
      since: now - 61_000,
      proof: { what: 'frame', at: now - 2000 },
      reason: 'box-3 1.2, microphone off',
      restarts: 0,
    },
    {
      name: 'microphone',
      kind: 'audio',
      essential: false,
      state: 'ready',
      since: now - 61_000,
      proof: { what: 'sound', at: now },
      reason: 'hw:1: 48000 Hz stereo, converted to 16000 Hz mono',
      restarts: 0,
    },
    {
      name: 'voice',
      kind: 'voice',
      essential: false,
      state: 'degraded',
      since: now - 5000,
      code: 'VOICE_CODE',
      reason: 'code 123456',
      restarts: 0,
    },
  ],
});

test('terminal, sound and voice say how they are, in English and in Japanese with aligned columns', () => {
  assert.deepEqual(statusText(voice, 'en', now).split('\n'), [
    'aivoice 1.2.3: degraded',
    'terminal    ready     for 1 min  proof: frame 2 s ago  box-3 1.2, microphone off',
    'microphone  ready     for 1 min  proof: sound 0 s ago  hw:1: 48000 Hz stereo, converted to 16000 Hz mono',
    'voice       degraded  for 5 s    proof: none yet       VOICE_CODE: code 123456',
    'voice: Waiting to be registered. In the console of the cloud, enter the code of this appliance.',
    '',
  ]);
  assert.deepEqual(statusText(voice, 'ja', now).split('\n').slice(1, 4), [
    'terminal    準備完了  継続 1分  確認: 受信 2秒前  box-3 1.2、マイクオフ',
    'microphone  準備完了  継続 1分  確認: 録音 0秒前  hw:1: 48000 Hz ステレオを 16000 Hz モノラルに変換',
    'voice       一部異常  継続 5秒  確認: まだなし    VOICE_CODE: コード 123456',
  ]);
});

const undone = {
  version: '1.3.0',
  back: '1.2.3',
  check: 'call',
  reason: 'not answering',
  at: '2026-11-29T22:30:00.000Z',
  log: ['{}'],
};
const image = { version: '1.0.0', builtAt: '2026-10-01T12:00:00.000Z', ageDays: 59 };
const ACKNOWLEDGE = 'aivoice releases --acknowledge';

test('an installed appliance says what runs, how old its image is, and what was undone', () => {
  const from = 'release';
  const release = { version: '1.2.3', from, image, undone, updating: false } as const;
  const part = { ...document.parts[2]!, name: 'release', state: 'degraded', code: 'UPDATE_UNDONE' } as const;
  const told = statusText({ ...document, release, parts: [part] }, 'en', now).split('\n');
  assert.equal(told[1], 'installed release; image 1.0.0 of 2026-10-01, 59 d old');
  assert.match(told[2]!, /^release {2}degraded/);
  assert.deepEqual(told.slice(3), [
    `release: ${sentence('UPDATE_UNDONE', 'en')}`,
    '1.3.0 was undone 2 h ago, 1.2.3 is back. It failed: call of a tool. Reason: not answering',
    `Once you have seen it: ${ACKNOWLEDGE}`,
    '',
  ]);
  const inJapanese = statusText({ ...document, release, parts: [] }, 'ja', now).split('\n');
  assert.deepEqual(inJapanese.slice(1), [
    '更新で入ったリリース、OS イメージ 1.0.0（2026-10-01 作成、59日前）',
    '1.3.0 を取り消し、1.2.3 に戻しました（2時間前）。確かめたこと: ツールの呼び出し。理由: 応答なし',
    `確認したら: ${ACKNOWLEDGE}`,
    '',
  ]);
});

test('what is not known of an undo is left as it came', () => {
  const strange = { ...undone, check: 'new', at: 'some day' };
  const release = {
    version: '1.2.3',
    from: 'factory',
    image: null,
    undone: strange,
    updating: true,
  } as const;
  const told = statusText({ ...document, release, parts: [] }, 'en', now).split('\n');
  assert.equal(told[1], 'factory release; being updated');
  assert.match(told[2]!, /^1\.3\.0 was undone some day, .* It failed: new\./);
});

test('an appliance that knows nothing of releases yet is read as well', () => {
  const { release: _, ...old } = document;
  assert.match(statusText(old as typeof document, 'en', now), /^aivoice 1\.2\.3: degraded\ncloud /);
});
