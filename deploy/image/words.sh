# shellcheck shell=bash
# What build.sh says of its use. Sourced by it.

usage() {
  at_length usage_japanese usage_english
}

usage_japanese() {
  cat <<'TEXT'
使い方: sudo -E npm run image -- [--release FILE] [--signers FILE] [--fresh]
build/aivoice.img.zst と、.sha256、.bmap、aivoice.sbom.json を作ります。途中で止めても、もう一度実行すれば、できるところは続きから進みます。
  --release FILE   工場出荷時のリリース（なければ build の最も新しい aivoice-*-arm64.tar.zst。別のコミットのものなら作り直します）
  --signers FILE   機器が受け入れるリリースの鍵（なければ $AIVOICE_SIGNERS、それもなければ ~/.config/aivoice/allowed_signers）
  --fresh          残してあるルートを使わず、Debian から取り直します
残したものは $AIVOICE_CACHE（なければ ~/.cache/aivoice-image）にあります。
終了コード: 0 できた、1 失敗、6 ほかのビルドが進行中、64 使い方の誤り
TEXT
}

usage_english() {
  cat <<'TEXT'
usage: sudo -E npm run image -- [--release FILE] [--signers FILE] [--fresh]
Builds build/aivoice.img.zst, with .sha256, .bmap and aivoice.sbom.json. An interrupted or repeated build goes on where it can.
  --release FILE   the factory release (default: the newest build/aivoice-*-arm64.tar.zst, made anew where it is of another commit)
  --signers FILE   whose releases the appliance takes (default: $AIVOICE_SIGNERS, else ~/.config/aivoice/allowed_signers)
  --fresh          asks Debian anew instead of using the root that was kept
What is kept is in $AIVOICE_CACHE (default ~/.cache/aivoice-image).
Exit code: 0 done, 1 failed, 6 another build runs, 64 wrong usage
TEXT
}

wrong_usage() { # wrong_usage SENTENCE
  printf 'image: %s\n\n' "$1" >&2
  usage >&2
  exit 64
}
