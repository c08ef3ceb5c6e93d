#!/usr/bin/env bash
# What the deploy script says. Codes are stable; sentences are Japanese and English: cause first, then what to do.

# sentence CODE: what a code of this script means. Codes of the installer come with their sentence from the host.
sentence() {
  case "$1" in
    HOST_UNREACHABLE)
      phrase '機器につながりません。電源、ネットワーク、名前を確かめてください。' \
        'The host cannot be reached. Check its power, its network and its name.'
      ;;
    HOST_KEY_CHANGED)
      phrase '機器の鍵が前と違います。カードを書き直したのなら、古い鍵を「ssh-keygen -R 機器」で消してください。' \
        'The key of the host is another than before. If its card was written anew, remove the old key with "ssh-keygen -R HOST".'
      ;;
    HOST_KEY_UNKNOWN)
      phrase '機器の鍵をまだ知りません。一度「ssh ユーザー@機器」でつなぎ、鍵を確かめてください。' \
        'The key of the host is not known yet. Connect once with "ssh USER@HOST" and check the key.'
      ;;
    HOST_USER_REFUSED)
      phrase '機器がこのユーザーか鍵を受け入れません。ユーザー名（イメージでは owner）と SSH 鍵を確かめてください。' \
        'The host refuses this user or key. Check the user (owner on the image) and the SSH key.'
      ;;
    SSH_NOT_STARTED)
      phrase 'ssh が始められません。機器のせいではありません。--ssh-option と ~/.ssh/config を確かめてください。' \
        'ssh does not start, through no fault of the host. Check --ssh-option and ~/.ssh/config.'
      ;;
    HOST_NOT_APPLIANCE)
      phrase 'この機器には aivoice-install がないか、パスワードなしの sudo が許されていません。' \
        'The host has no aivoice-install, or does not allow it through sudo without a password.'
      ;;
    TRANSFER_BROKEN)
      phrase '接続が何度も切れました。もう一度実行すると、続きから送ります。' \
        'The connection broke again and again. Run this again: it goes on where it stopped.'
      ;;
    UPDATE_NO_VERDICT)
      phrase '機器から結果が届きません。もう一度実行すると、結果が分かります。' \
        'The host gave no verdict in time. Run this again to learn it.'
      ;;
    UPDATE_FAILED)
      phrase '機器での更新が、理由を言わずに終わりました。機器で「aivoice releases」を見てください。' \
        'The update on the host ended without a reason. Look at "aivoice releases" there.'
      ;;
    RELEASE_WRONG_ARCH)
      phrase '機器のプロセッサーに合うリリースがありません。「npm run release」で作ってください。' \
        'There is no release for the processor of the host. Make one with "npm run release".'
      ;;
    RELEASE_DAMAGED)
      phrase 'リリースのファイルが、そばの .sha256 と合いません。作り直してください。' \
        'The release file does not match the .sha256 beside it. Make it again.'
      ;;
    RELEASE_INCOMPLETE)
      phrase 'リリースのファイルが空です。作り直してください。' 'The release file is empty. Make it again.'
      ;;
    RELEASE_CHANGED)
      phrase 'リリースのファイルが、途中で消えたか変わりました。もう一度実行してください。' \
        'The release file was removed or changed meanwhile. Run this again.'
      ;;
    WORK_FOLDER)
      phrase '一時ファイルのフォルダーに書けません。TMPDIR を、書けるフォルダーにしてください。' \
        'The folder for temporary files cannot be written. Set TMPDIR to one that can.'
      ;;
    DEPLOY_STOPPED)
      phrase '途中で止められました。もう一度実行しても安全です。' \
        'This was stopped on the way. It is safe to run it again.'
      ;;
    *) printf '%s' "$1" ;;
  esac
}

usage() {
  at_length usage_japanese usage_english
}

usage_japanese() {
  cat <<'TEXT'
npm run deploy -- [オプション] ユーザー@機器…
リリースを SSH で機器に送り、入れ、結果を待ちます。どの時点で止まっても、もう一度実行できます。

  --release FILE     送るリリース（なければ build/ の、機器に合う最も新しいもの）
  --canary N         最初の N 台を先に更新し、すべて動いたら残りへ進む（--keep-going でも）
  --parallel N       同時に更新する台数（1〜64、初期値 4）
  --keep-going       失敗した機器があっても残りへ進む
  --downgrade        いまより古い版でも入れる
  --again            前に動かなかった版をもう一度試す
  --ssh-option X     ssh に -o X として渡す（何度でも）
  --port N           SSH のポート
終了コード: 0 すべて成功、1 失敗あり、または始められない、64 使い方の誤り、129・130・143 途中で止められた
TEXT
}

usage_english() {
  cat <<'TEXT'
npm run deploy -- [options] user@host…
Sends a release to hosts over SSH, installs it and waits for the verdict. Stopped at any point, it can be run again.

  --release FILE     the release to send (default: the newest in build/ that fits the host)
  --canary N         update the first N hosts, and the others only when all of those work (also with --keep-going)
  --parallel N       hosts at a time (1 to 64, default 4)
  --keep-going       go on with the other hosts after a failure
  --downgrade        install it even where a newer version runs
  --again            try a version once more that did not work before
  --ssh-option X     passed to ssh as -o X (repeatable)
  --port N           port of SSH
Exit code: 0 all is well, 1 a host failed or nothing could be begun, 64 wrong usage, 129, 130, 143 stopped on the way
TEXT
}
