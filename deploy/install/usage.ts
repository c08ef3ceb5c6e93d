import type { Language } from '#kernel/codes.ts';

const VERBS = `aivoice-install apply FILE|URL|SHA256 [--downgrade] [--again] [--deadline SECONDS]
aivoice-install check FILE
aivoice-install have SHA256
aivoice-install receive SHA256 SIZE --from N
aivoice-install rollback [--deadline SECONDS]
aivoice-install releases | acknowledge | guard | mend | watch | prune`;

const JA = `  apply        リリースを確かめて入れ、動かなければ元に戻します
  check        リリースのファイルを確かめるだけで、何も変えません
  have         送りかけのファイルの、届いているバイト数
  receive      送りかけのファイルの残りを標準入力から受け取ります
  rollback     前の版に戻します
  releases     この機器にある版、acknowledge は取り消された更新を確認済みにします
  guard, watch 起動時と更新後の見張り、prune は要らない版を消します
  mend         動いている版のファイルを全部調べ、傷んでいれば前の版に戻します
  --json       一行一つの JSON で出し、最後が結果です
  --deadline   動きを確かめる時間（秒）、10〜600、初期値 120
終了コード: 0 できた（または、すでにそうなっている）、1 失敗（何も変わっていない）、4 断った、5 取り消した、6 ほかが進行中、
7 戻れる版がない、64 使い方の誤り`;

const EN = `  apply        checks a release and puts it in place, and undoes it where it does not work
  check        only checks a release file, and changes nothing
  have         how many bytes of an upload are here
  receive      takes the rest of an upload from standard input
  rollback     goes back to the version of before
  releases     the versions on this machine; acknowledge takes note of an update that was undone
  guard, watch look after it at a boot and after an update; prune removes versions that are not needed
  mend         reads every file of the version in place, and goes back to the one of before where one is damaged
  --json       a JSON object a line, the last one with the verdict
  --deadline   what the health checks of a release have, in seconds: 10 to 600, default 120
Exit code: 0 done or already so, 1 failed and nothing changed, 4 refused, 5 undone, 6 busy, 7 nothing to go back to,
64 wrong usage`;

/** How the installer is used, for its reader. */
export function usage(language: Language): string {
  const words = { ja: [JA], en: [EN], both: [JA, EN] }[language];
  return [VERBS, ...words].join('\n');
}
