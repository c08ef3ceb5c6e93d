import { detailInJapanese } from '../config/detail-text.ts';
import { RELEASE_TRANSLATIONS, UNDONE } from './release-reasons.ts';
import { type Translation, VOICE_PREFIXES, VOICE_SUFFIXES, VOICE_TRANSLATIONS } from './voice-text.ts';

/** What parts give as their reason or their proof, in Japanese. Names, numbers and what nobody knows stay as they came. */
const TRANSLATIONS: readonly Translation[] = [
  ...VOICE_TRANSLATIONS,
  ...RELEASE_TRANSLATIONS,
  // Proofs
  [/^answered$/, '応答'],
  [/^traffic$/, '通信'],
  [/^settings read$/, '設定読み込み'],
  [/^socket in its place$/, 'ソケット確認'],
  // The line to the cloud
  [/^no endpoint is set$/, '接続先が未設定'],
  [/^dialling$/, '接続中'],
  [/^connected, tools not asked for yet$/, '接続済み、ツール一覧の要求待ち'],
  [/^the key has expired$/, '鍵の期限切れ'],
  [/^last close (\d+)$/, '切断コード $1'],
  [/^HTTP (\d+) instead of a WebSocket$/, 'WebSocket ではなく HTTP $1'],
  [/^dial failed: no reason given$|^dial failed$/, '接続できない'],
  [/^dial failed: (.+)$/, '接続できない（$1）'],
  [/^dial timed out$/, '接続が時間切れ'],
  [/^no traffic on the line$/, '通信が途絶えた'],
  [/^too much waits to leave$/, '送信が滞っている'],
  // Servers
  [/^exited (\d+)$/, '終了コード $1 で終了'],
  [/^killed by (\w+)$/, '$1 で終了'],
  [/^not answering$/, '応答なし'],
  [/^no answer to its handshake$/, '起動の要求に応答なし'],
  [/^no answer to (.+)$/, '$1 に応答なし'],
  [/^not ready after (\d+) ms$/, '$1 ミリ秒たっても準備できない'],
  [/^(\S+) refused: (.*)$/, '$1 を拒否: $2'],
  [/^command not found: (.*)$/, 'コマンドが見つからない: $1'],
  [/^command not executable: (.*)$/, '実行できないコマンド: $1'],
  [/^working folder not found: (.*)$/, '作業フォルダーが見つからない: $1'],
  [/^cannot start (.*)$/, '起動できない: $1'],
  [/^expected "stdio" for now, got "(.*)"$/, '今は "stdio" のみ（指定は "$1"）'],
  // The system
  [/^system asked$/, 'システムに確認'],
  [/^Wi-Fi is not joined$/, 'Wi-Fi に接続していない'],
  [/^no errors$/, '異常なし'],
  [/^mended at this boot$/, '起動時に修復した'],
  [/^(\d+) errors since it was checked$/, '検査の後にエラー $1 回'],
  [/^the data partition is left alone$/, 'データ領域を使っていない'],
  [/^the data partition is lost$/, 'データ領域が壊れている'],
  [/^there is no data partition$/, 'データ領域がない'],
  [/^a part of the data cannot be kept$/, 'データの一部を残せない'],
  [/^nothing is known of the data partition$/, 'データ領域の状態が分からない'],
  // The console
  [/^(.*) is gone$/, '$1 がなくなった'],
  // The command line
  [/^the arguments are no JSON: (.+)$/, '引数が JSON ではない（$1）'],
  [/^unexpected: (.+)$/, '余分な語: $1'],
  [/^no such flag: (.+)$/, 'そのようなフラグはない: $1'],
  [/^no verb (.+)$/, 'そのようなコマンドはない: $1'],
  [/^see aivoice --help$/, 'aivoice --help を見てください'],
  [/^there are (.+)$/, 'あるのは $1'],
];

/** What stands before another reason. */
const PREFIXES: readonly (readonly [english: string, japanese: string])[] = [
  ['reconnecting, ', '再接続中、'],
  ...VOICE_PREFIXES,
];

/** A reason or a proof in Japanese. One of several pieces, with `; ` between them, has each told by itself. */
export function inJapanese(text: string): string {
  const [, version, check, why] = UNDONE.exec(text) ?? [];
  if (why !== undefined) return `${version} を取り消し（${check}）: ${inJapanese(why)}`;
  return text.split('; ').map(told).join('; ');
}

function told(piece: string): string {
  for (const [english, japanese] of PREFIXES) {
    if (piece.startsWith(english)) return japanese + told(piece.slice(english.length));
  }
  for (const [english, japanese] of VOICE_SUFFIXES) {
    if (piece.endsWith(english)) return told(piece.slice(0, -english.length)) + japanese;
  }
  const found = TRANSLATIONS.find(([english]) => english.test(piece));
  if (!found) return aboutSomething(piece);
  const [english, japanese] = found;
  return typeof japanese === 'string' ? piece.replace(english, japanese) : piece.replace(english, japanese);
}

/** `hw:1: no sound for 1500 ms`: the name of a card, or a place in the settings, stands before its reason. */
function aboutSomething(piece: string): string {
  const detail = detailInJapanese(piece);
  if (detail !== piece) return detail;
  const [, name, reason] = /^(\S+): (.+)$/.exec(piece) ?? [];
  return name === undefined || reason === undefined ? piece : `${name}: ${told(reason)}`;
}
