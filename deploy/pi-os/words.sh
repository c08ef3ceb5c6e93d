#!/usr/bin/env bash
# What install-on-pi-os.sh says. Codes are stable; sentences are Japanese and English: cause first, then what to do.

# sentence CODE
sentence() {
  case "$1" in
    NEEDS_ROOT)
      phrase 'この操作には管理者の権限が要ります。sudo を付けて実行してください。' \
        'This needs the rights of the administrator. Run it with sudo.'
      ;;
    SYSTEM_UNSUPPORTED)
      phrase 'この OS には入れられません。64 ビットの Raspberry Pi OS か Debian（bookworm または trixie）を使ってください。' \
        'It cannot be installed on this system. Use a 64-bit Raspberry Pi OS or Debian, bookworm or trixie.'
      ;;
    IS_IMAGE)
      phrase 'これは aiVoice のイメージです。更新には「aivoice update」か「npm run deploy」を使ってください。' \
        'This is the aiVoice image. Update it with "aivoice update" or "npm run deploy".'
      ;;
    PACKAGES_MISSING)
      phrase '必要なパッケージがありません。--yes を付けると入れます。' \
        'Packages are missing. With --yes they are installed.'
      ;;
    PACKAGES_FAILED)
      phrase 'パッケージを入れられませんでした。ネットワークを確かめて、もう一度お試しください。' \
        'The packages could not be installed. Check the network and try again.'
      ;;
    RELEASE_INCOMPLETE)
      phrase 'リリースのファイルが途中で切れています。もう一度コピーしてください。' \
        'The release file is incomplete. Copy it again.'
      ;;
    RELEASE_DAMAGED)
      phrase 'リリースのファイルが壊れています。もう一度取り寄せてください。' \
        'The release file is damaged. Fetch it again.'
      ;;
    RELEASE_UNSIGNED)
      phrase 'リリースに、--signers のファイルが認める署名がありません。' \
        'The release has no signature that the file of --signers trusts.'
      ;;
    RELEASE_WRONG_ARCH)
      phrase 'このリリースは別の種類のプロセッサー用です。' 'The release is for another kind of processor.'
      ;;
    RELEASE_UNSAFE)
      phrase 'リリースの中に、あってはならない名前か種類のファイルがあります。使わないでください。' \
        'The release holds a name or a kind of file that it must not. Do not use it.'
      ;;
    UPDATE_NO_SPACE)
      phrase '空きが足りません。空きを作ってください。' 'There is not enough room. Make some.'
      ;;
    UPDATE_BUSY)
      phrase '別のインストールが進んでいます。' 'Another installation is running.'
      ;;
    OWNER_UNKNOWN)
      phrase '--owner のユーザーがいません。' 'There is no such user as --owner names.'
      ;;
    NOT_PLACED)
      phrase '置ききれませんでした。理由は上にあります。直して、もう一度実行してください。' \
        'Not all of it could be put in place, for the reason above. Mend that and run it again.'
      ;;
    NOT_STARTED)
      phrase '入りましたが、動き始めません。「journalctl -u aivoice」で理由を見てください。' \
        'It is installed but does not start. See why with "journalctl -u aivoice".'
      ;;
    *) printf '%s' "$1" ;;
  esac
}

usage() {
  at_length usage_japanese usage_english
}

usage_japanese() {
  cat <<'TEXT'
sudo deploy/install-on-pi-os.sh --release FILE --signers FILE [オプション]
いま使っている 64 ビットの Raspberry Pi OS か Debian に aiVoice Edge を入れます。何度実行してもかまいません。
すでに入っていれば、リリースは更新として入り、動かなければ元に戻ります。

  --release FILE           入れるリリース（aivoice-…-arm64.tar.zst）
  --signers FILE           信じる鍵のファイル（allowed_signers）
  --owner USER             USER に、パスワードなしの sudo を更新と再起動だけ許す
  --unattended-upgrades    OS の安全更新を自動で入れる
  --downgrade              更新のとき、いま動いている版より古くても入れる
  --again                  更新のとき、前に動かなかったリリースをもう一度試す
  --yes                    足りないパッケージを、聞かずに入れる
  --root DIR               DIR の下に置くだけで、何も始めない
  --uninstall              取り除く。設定とデータは残し、その場所を言う
終了コード: 0 できた、1 失敗、4 リリースを断った、5 更新を取り消した、6 ほかが進行中、64 使い方の誤り
1、4、5 のときも、パッケージとユニットは新しくなっていることがあります。
TEXT
}

usage_english() {
  cat <<'TEXT'
sudo deploy/install-on-pi-os.sh --release FILE --signers FILE [options]
Puts aiVoice Edge on a 64-bit Raspberry Pi OS or Debian that is in use. It may be run again at any time. Where it is
installed already the release comes as an update, which is undone where it does not work.

  --release FILE           the release to install (aivoice-…-arm64.tar.zst)
  --signers FILE           the keys that are trusted (allowed_signers)
  --owner USER             allow USER sudo without a password for updates and restarts, and for nothing else
  --unattended-upgrades    let the system install its security updates by itself
  --downgrade              as an update, also a release that is older than the one that runs
  --again                  as an update, also a release that did not work before
  --yes                    install missing packages without asking
  --root DIR               only put everything below DIR, start nothing
  --uninstall              remove it; settings and data stay, and it says where
Exit code: 0 done, 1 failed, 4 the release was refused, 5 the update was undone, 6 another one runs, 64 wrong usage
Also after 1, 4 and 5 packages and units may be newer than before.
TEXT
}
