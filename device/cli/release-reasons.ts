import type { Translation } from './voice-text.ts';

/** What is said of releases: by the part of the status, by sudo, and by the installer as the reason of an undo. */
export const RELEASE_TRANSLATIONS: readonly Translation[] = [
  [/^releases read$/, 'リリース確認'],
  [/^factory release$/, '工場出荷時のリリース'],
  [/^installed release$/, '更新で入ったリリース'],
  [/^no release$/, 'リリースではない'],
  [/^being updated$/, '更新中'],
  [/^sudo is not installed$/, 'sudo が入っていない'],
  [/^sudo did not make this root$/, 'sudo で管理者になれない'],
  [/^sudo does not allow it without a password$/, 'パスワードなしの sudo が許されていない'],
  // The installer's
  [/^no answer after (\d+) s$/, '$1 秒たっても応答なし'],
  [/^it gave no answer for (\d+) s$/, '$1 秒間応答なし'],
  [/^no answer$/, '応答なし'],
  [/^version (\S+) answers( after (\d+) s)?$/, '別の版（$1）が応答した'],
  [/^the unit failed( for (\d+) s)?$/, 'サービスが起動しない'],
  [/^it ended (\d+) times$/, '$1 回終了した'],
  [/^the power was cut before it was proved$/, '確かめ終わる前に電源が切れた'],
  [/^the board was started (\d+) times in its first minutes$/, '最初の数分のうちに機器が $1 回起動し直した'],
  [/^(\S+) is not as it was installed$/, '$1 が書き込んだときと違う'],
  [/^(\S+) is not executable$/, '$1 を実行できない'],
  [/^(\S+) cannot be read \((\w+)\)$/, '$1 を読めない（$2）'],
  [/^bin\/node does not run on this system$/, 'bin/node がこの OS で動かない'],
  [/^the tools cannot be listed$/, 'ツールの一覧を得られない'],
  [/^its installer does not start$/, 'インストーラーが起動しない'],
  [/^it did not become ready$/, '準備完了にならない'],
  [/^(\S+): expected (\S+), got no answer$/, '$1: $2 のはずが応答なし'],
  [/^(\S+): expected (\S+), got (.+)$/, '$1: $2 のはずが $3'],
  [/^nothing can be called, (.+) could before$/, '呼び出せるツールがない（前は $1 を呼び出せた）'],
  [/^(.+) is missing after (\d+) s$/, '$2 秒たっても $1 がない'],
  [/^(.+) is missing$/, '$1 がない'],
  [
    /^(.+) is (?:starting|degraded|failed|stopped), (.+) after (\d+) s$/,
    '$3 秒たっても $1 が準備できない: $2',
  ],
  [/^(.+) is (?:starting|degraded|failed|stopped), (.+)$/, '$1 が準備できない: $2'],
  [/^(.+) is (?:starting|degraded|failed|stopped) after (\d+) s$/, '$2 秒たっても $1 が準備できない'],
  [/^(.+) is (?:starting|degraded|failed|stopped)$/, '$1 が準備できない'],
];

/** `1.3.0 undone (call): …`: the reason behind it is one of the above. */
export const UNDONE = /^(\S+) undone \((\w+)\): (.*)$/s;
