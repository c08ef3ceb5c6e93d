#!/bin/bash
# npm run image: builds build/aivoice.img.zst, the card of an appliance, with its sum, map and list of contents.
#
#   --release FILE   the factory release (default: the newest build/aivoice-*-arm64.tar.zst, which is made anew where it is
#                    not of the commit that is checked out)
#   --signers FILE   whose releases the appliance takes (default: $AIVOICE_SIGNERS, else
#                    ~/.config/aivoice/allowed_signers); an allowed signers file of ssh-keygen
#   --fresh          asks Debian anew instead of using the root that was kept
#
# Stages that are kept in $AIVOICE_CACHE (~/.cache/aivoice-image) are named after the hash of all that goes into them, so
# an interrupted or repeated build goes on where it can. Needs root, and tells which programs are missing.
# Exit code: 0 done, 1 failed, 6 another build runs, 64 wrong usage.
set -euo pipefail
# shellcheck source=../language.sh
. "$(dirname "$0")/../language.sh"
# shellcheck source=settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=words.sh
. "$HERE/words.sh"
# shellcheck source=factory-release.sh
. "$HERE/factory-release.sh"
# shellcheck source=apt.sh
. "$HERE/apt.sh"

release='' signers=${AIVOICE_SIGNERS:-$HOME/.config/aivoice/allowed_signers} fresh=''
while (($#)); do
  case $1 in
    --release | --signers)
      [[ -n ${2:-} ]] || wrong_usage "$1: $(phrase '値がありません' 'expected a value')"
      ;;&
    --help | -h) usage && exit 0 ;;
    --release) release=$2 && shift 2 ;;
    --signers) signers=$2 && shift 2 ;;
    --fresh) fresh=yes && shift ;;
    *) wrong_usage "${1//[[:cntrl:]]/?}: $(phrase '知らない引数です' 'unknown argument')" ;;
  esac
done

need_programs() {
  local missing=() pair emulator=()
  # The first thing: the others lie where only root looks, on some systems.
  ((EUID == 0)) || die "$(phrase 'root で実行してください（sudo -E npm run image）' 'needs root: sudo -E npm run image')"
  runs_arm64 || emulator=(qemu-aarch64-static:qemu-user-static update-binfmts:binfmt-support)
  for pair in mmdebstrap "${emulator[@]}" mkfs.vfat:dosfstools mcopy:mtools mke2fs:e2fsprogs \
    sfdisk:fdisk zstd bmaptool:bmap-tools depmod:kmod ssh-keygen:openssh-client systemd-sysusers:systemd node flock:util-linux; do
    command -v "${pair%:*}" >/dev/null || missing+=("${pair#*:}")
  done
  ((${#missing[@]} == 0)) || die "$(phrase '足りないもの' 'missing'): apt-get install ${missing[*]}"
  [[ -r $signers ]] || die "$signers: $(phrase 'ありません。npm run release -- --new-key で、鍵と一緒に作れます' \
    'is missing: npm run release -- --new-key makes it, with a key')"
}

# Whether this machine runs the programs of the appliance by itself.
runs_arm64() { [[ $(uname -m) == aarch64 ]]; }

# Programs of the other architecture run by the kernel's help, which is off after the start of some machines.
allow_foreign_programs() {
  ! runs_arm64 || return 0
  [[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]] && return
  mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  update-binfmts --enable qemu-aarch64
}

one_at_a_time() {
  mkdir -p "$CACHE" "$BUILD"
  exec 9>"$CACHE/lock"
  flock -n 9 || {
    say "$(phrase 'ほかのビルドが進行中です' 'another build is running')"
    exit 6
  }
  # What a killed build left behind; nobody else can own it now.
  rm -rf "$CACHE"/{root,boards,initrd,work}.?????? "$CACHE"/*.part "$CACHE"/*.part.tar
}

times=()
stage() { # stage NAME COMMAND…: runs it and takes its time
  local name=$1 begun=$SECONDS
  shift
  say "$name"
  "$@"
  times+=("$name $((SECONDS - begun)) s")
}

kept() { # kept NAME KEY COMMAND…: a stage whose result is kept; its path is in $result
  local name=$1 key=$2
  shift 2
  result=$CACHE/$name-$key.tar.zst
  if [[ -s $result && -z $fresh ]]; then
    times+=("$name kept")
    return
  fi
  stage "$name" "$@" "$result"
  # One of a kind is enough: each is 80 MB.
  find "$CACHE" -maxdepth 1 -name "$name-*.tar.zst" ! -name "$name-$key.tar.zst" -delete
}

# sources_of SUITE…: where a stage has its packages from, for its name. Values and commands only: a comment in settings.sh
# or apt.sh makes no root anew.
sources_of() {
  printf '%s\n' "$SUITE"
  source_lines "$@"
  declare -f private_apt
}

warn_of_age() { # warn_of_age ROOT.tar.zst
  local at days
  at=$(tar --zstd --occurrence=1 -xOf "$1" ./usr/share/aivoice-image/packages-at 2>/dev/null) || true
  [[ $at =~ ^[0-9]+$ ]] || return 0
  days=$((($(date +%s) - at) / 86400))
  ((days <= OLD_DAYS)) || say "$(date -u -d "@$at" +%F): $(phrase \
    "パッケージは $days 日前のものです。--fresh で新しいものを取ります" "the packages are $days days old: --fresh asks Debian for newer ones")"
}

# As a release has it: 40 hex digits, with -dirty behind them where files differ from the commit (new ones count).
commit_of_tree() {
  local commit changes
  commit=$(git -C "$TREE" rev-parse HEAD)
  changes=$(git -C "$TREE" --no-optional-locks status --porcelain)
  printf '%s%s' "$commit" "${changes:+-dirty}"
}

measure() {
  local compressed used
  compressed=$(stat -c %s "$BUILD/aivoice.img.zst")
  used=$(du -s --block-size=1 "$work/root" | cut -f1)
  printf '%-28s %s\n' 'compressed' "$((compressed / 1000000)) MB" 'root in use' "$((used / 1000000)) MB" \
    'image of commit' "$(shown_commit "$COMMIT")" 'factory release is' "$(factory_origin "$work/root/opt/aivoice/factory/manifest.json")" \
    'factory release' "$(du -s --block-size=1000000 "$work/root/opt/aivoice/factory" | cut -f1) MB" \
    'packages' "$(grep -c '"purl"' "$BUILD/aivoice.sbom.json")"
  local line
  for line in "${times[@]}"; do
    printf '%-28s %s\n' "${line%% *}" "${line#* }"
  done
  printf '%-28s %s\n' 'in all' "$SECONDS s"
}

# What was made by sudo belongs to who asked for it, also where the build ends half way: the next release goes into the
# same folder.
hand_over() {
  [[ -n ${SUDO_UID:-} && -n ${SUDO_GID:-} ]] || return 0
  find "$BUILD" -maxdepth 1 \( -path "$BUILD" -o -name 'aivoice*' \) -exec chown -h "$SUDO_UID:$SUDO_GID" {} +
}

# Whether sudo has left the home of who called it (sudo -E).
called_from_home() {
  [[ -n ${SUDO_UID:-} && -n ${SUDO_GID:-} && $(stat -c %u "$HOME") == "$SUDO_UID" ]]
}

clean_up() {
  [[ -z $work ]] || rm -rf "$work"
  hand_over
}

need_programs
allow_foreign_programs
one_at_a_time
work=''
trap clean_up EXIT
find_release
find_mirrors

COMMIT=$(commit_of_tree)
VERSION=$(node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1])).version' "$TREE/package.json")
SOURCE_DATE_EPOCH=$(git -C "$TREE" log -1 --format=%ct)
SIGNERS=$signers
export COMMIT VERSION SOURCE_DATE_EPOCH SIGNERS CACHE BUILD
export AIVOICE_CACHE=$CACHE AIVOICE_BUILD=$BUILD

kept root "$(digest_of "$HERE/packages/system.list" "$HERE"/root{,-hook}.sh <(sources_of "${SUITES[@]}"))" "$HERE/root.sh"
root=$result
warn_of_age "$root"
kept boards "$(digest_of "$HERE"/packages/{boards,modules}.list "$HERE"/{boards,modules}.sh \
  <(sources_of "${SUITES[@]}" "$BACKPORTS"))" "$HERE/boards.sh"
boards=$result
mapfile -t first_moments < <(find "$HERE/overlay/etc/initramfs-tools" -type f | sort)
kept initrd "$(digest_of "$HERE/initrd.sh" "${first_moments[@]}" <(stat -c %n "$root" "$boards"))" \
  "$HERE/initrd.sh" "$root" "$boards"
initrd=$result

work=$(mktemp -d "$CACHE/work.XXXXXX")
stage tree "$HERE/tree.sh" "$root" "$boards" "$initrd" "$release" "$work"
stage disk "$HERE/disk.sh" "$work/root" "$work/fat" "$work/aivoice.img"
stage publish "$HERE/publish.sh" "$work/aivoice.img" "$work/root" "$work/packages.tsv"
measure
