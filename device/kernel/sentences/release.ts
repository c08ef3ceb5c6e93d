/** Releases: how one is refused, put in place, and undone. */
export const RELEASE = {
  RELEASE_INCOMPLETE: {
    ja: 'リリースのファイルが途中で切れています。もう一度送ってください。',
    en: 'The release file is incomplete. Send it again.',
  },
  RELEASE_DAMAGED: {
    ja: 'リリースのファイルが壊れています。もう一度取り寄せて送ってください。',
    en: 'The release file is damaged. Fetch it and send it again.',
  },
  RELEASE_UNSIGNED: {
    ja: 'リリースに、この機器が認める署名がありません。正しい鍵で作られたリリースを使ってください。',
    en: 'The release has no signature that this appliance trusts. Use a release made with the right key.',
  },
  RELEASE_WRONG_ARCH: {
    ja: 'このリリースは別の種類のプロセッサー用です。arm64 か x64 か、合うものを選んでください。',
    en: 'The release is for another kind of processor. Choose the one that fits, arm64 or x64.',
  },
  RELEASE_OLDER: {
    ja: 'いま動いている版より古いリリースです。それでも入れるには --downgrade を付けてください。',
    en: 'The release is older than the version that runs. To install it all the same, add --downgrade.',
  },
  RELEASE_SAME_VERSION: {
    ja: '同じ番号の、別に作られた版が動いているか、戻り先として残されています。版の番号を変えて作ったリリースを使ってください。',
    en: 'Another build of the same version runs or is kept to go back to. Use a release that was made with a new version number.',
  },
  RELEASE_NEEDS_OS: {
    ja: 'このリリースには、より新しい OS イメージが必要です。先にイメージを書き直してください。',
    en: 'The release needs a newer operating system image. Write that first.',
  },
  RELEASE_UNSAFE: {
    ja: 'リリースの中に、外へ出ようとする名前かリンクがあります。使わないでください。',
    en: 'The release holds a name or a link that leads out of it. Do not use it.',
  },
  RELEASE_KNOWN_BAD: {
    ja: 'このリリースは前に動かず、取り消されました。もう一度試すには --again を付けてください。',
    en: 'This release did not work before and was undone. To try it once more, add --again.',
  },
  RELEASE_UNREACHABLE: {
    ja: 'リリースを取り寄せられません。ファイル名か URL を確かめてください。',
    en: 'The release cannot be fetched. Check the file name or the URL.',
  },
  UPDATE_NO_SPACE: {
    ja: 'リリースを置く空きがありません。空きを作ってからもう一度お試しください。',
    en: 'There is no room for the release. Make room and try again.',
  },
  UPDATE_BUSY: {
    ja: '別の更新が進んでいます。終わってからもう一度お試しください。',
    en: 'Another update is running. Try again when it is over.',
  },
  UPDATE_FAILED: {
    ja: '更新を終えられませんでした。いまの版はそのまま動いています。もう一度お試しください。',
    en: 'The update could not be finished. The version of before goes on. Try again.',
  },
  UPDATE_UNDONE: {
    ja: 'うまく動かない版があったので、前の版に戻しました。「aivoice releases」で理由を見られます。',
    en: 'A version did not work, so the one of before is back. See why with "aivoice releases".',
  },
  ROLLBACK_NOTHING: {
    ja: '戻れる前の版がありません。',
    en: 'There is no earlier version to go back to.',
  },
  NOT_INSTALLED: {
    ja: 'ここにはリリースとして入れられたアプライアンスがありません。機器の上で実行してください。',
    en: 'No appliance is installed here as a release. Run this on the appliance.',
  },
  NEEDS_ROOT: {
    ja: 'この操作には管理者の権限が要ります。sudo を付けて実行してください。',
    en: 'This needs the rights of the administrator. Run it with sudo.',
  },
} as const;
