#!/usr/bin/env bash
# Brings a release to appliances over SSH, and tells in one line for each what became of it. Needs bash 4.4 and the
# programs of a usual Linux here; of the host only SSH and `sudo -n aivoice-install have|receive|apply|releases`.
set -euo pipefail

if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
  echo "USAGE: bash 4.4 か新しいものが要ります / bash 4.4 or later is needed: $BASH_VERSION" >&2
  exit 64
fi

# What is opened next would become a closed stderr.
: >&2 || exec 2>/dev/null

folder="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=language.sh
source "$folder/language.sh"
# shellcheck source=push/words.sh
source "$folder/push/words.sh"
# shellcheck source=push/release-file.sh
source "$folder/push/release-file.sh"
# shellcheck source=push/connection.sh
source "$folder/push/connection.sh"
# shellcheck source=push/host.sh
source "$folder/push/host.sh"

readonly WRONG_USAGE=64
readonly MOST_PARALLEL=64
# Seconds that an ending host has until it is killed.
readonly STOP_S=3
# Bytes in the name of the folder for temporary files: a socket has 107, of which ssh adds 17 and we up to 40.
readonly MOST_PLACE=50

release='' canary=0 parallel=4 keep_going=no apply_flags=''
ssh_options=(-o BatchMode=yes)
hosts=()
work=''
workers=()

main() {
  read_arguments "$@"
  make_work_folder
  prepare_releases
  trap 'stop 129' HUP
  trap 'stop 130' INT
  trap 'stop 143' TERM
  local all=${#hosts[@]} state=0
  if ((canary > 0 && canary < all)); then
    run_hosts 0 "$canary" no || state=1
    ((state != 0)) || run_hosts "$canary" "$all" "$keep_going" || state=1
  else
    run_hosts 0 "$all" "$keep_going" || state=1
  fi
  summarise
  exit "$state"
}

read_arguments() {
  while (($# > 0)); do
    case "$1" in
      --help | -h)
        usage
        exit 0
        ;;
      --keep-going) keep_going=yes ;;
      --downgrade | --again) apply_flags+=" $1" ;;
      --release | --canary | --parallel | --ssh-option | --port)
        (($# > 1)) || wrong_usage "$1: $(phrase '値がありません' 'expected a value')"
        read_option "$1" "$2"
        shift
        ;;
      -*) wrong_usage "$1: $(phrase '知らないオプションです' 'unknown option')" ;;
      *) add_host "$1" ;;
    esac
    shift
  done
  ((${#hosts[@]} > 0)) || wrong_usage "$(phrase '機器を 1 台以上書いてください' 'expected at least one host')"
}

read_option() {
  local port
  case "$1" in
    --release)
      [[ -f "$2" && -r "$2" ]] || wrong_usage "--release: $(phrase '読めるファイルがありません' 'no such readable file'): $2"
      # Not by what a program prints of it: that would lose a line feed at its end.
      if [[ "$2" == /* ]]; then release="$2"; else release="$PWD/$2"; fi
      ;;
    --canary) canary="$(whole_number "$@" 1 100000)" || exit $WRONG_USAGE ;;
    --parallel) parallel="$(whole_number "$@" 1 $MOST_PARALLEL)" || exit $WRONG_USAGE ;;
    --port)
      port="$(whole_number "$@" 1 65535)" || exit $WRONG_USAGE
      ssh_options+=(-p "$port")
      ;;
    --ssh-option) ssh_options+=(-o "$2") ;;
  esac
}

# A host twice in the list would be two deploys at once on it.
add_host() {
  local known
  for known in "${hosts[@]}"; do [[ "$known" != "$1" ]] || return 0; done
  [[ "$1" =~ ^[^[:space:][:cntrl:]]+$ ]] || wrong_usage "$(phrase '機器の名前ではありません' 'not a host'): '$1'"
  hosts+=("$1")
}

# whole_number OPTION TEXT LEAST MOST
whole_number() {
  if [[ "$2" =~ ^[1-9][0-9]{0,5}$ ]] && (($2 >= $3 && $2 <= $4)); then
    echo "$2"
  else
    wrong_usage "$1: $(phrase "$3 から $4 までの数を書いてください" "expected a number from $3 to $4")"
  fi
}

wrong_usage() {
  printf 'USAGE: %s\n\n' "${1//[[:cntrl:]]/?}" >&2
  usage >&2
  exit $WRONG_USAGE
}

# Where sockets, notes and results live, for this user alone. The life pipe: this shell alone holds its writing end
# (descriptor 8), a watcher of each host reads from it (9), so that all of it ends when this shell does, killed or not.
# ssh takes no long name for a socket, and reads more into blanks and `%`: then all of it is in /tmp.
make_work_folder() {
  local place="${TMPDIR:-/tmp}"
  [[ "$place" =~ ^/[0-9A-Za-z/._-]*$ ]] && ((${#place} <= MOST_PLACE)) || place=/tmp
  work="$(mktemp -d "$place/aivoice-deploy.XXXXXX" 2>/dev/null)" || refuse WORK_FOLDER "$place"
  trap 'rm -rf "$work"' EXIT
  mkfifo "$work/life"
  exec 8<>"$work/life"
  exec 9<"$work/life"
}

# Notes on every release that a host may get, as release.<arch>.
prepare_releases() {
  local arch file built="$folder/../build"
  if [[ -n "$release" ]]; then
    prepare_release "$release"
    return
  fi
  for arch in arm64 x64; do
    file="$(newest_release "$built" "$arch")"
    [[ -z "$file" ]] || prepare_release "$file"
  done
  compgen -G "$work/release.*" >/dev/null \
    || wrong_usage "$(phrase 'build/ にリリースがありません。「npm run release」で作ってください' 'no release in build/: make one with "npm run release"')"
}

prepare_release() {
  local arch sha size
  describe_release "$1" "$work/notes"
  { read -r _; read -r arch; read -r sha; read -r size; } <"$work/notes"
  ((size > 0)) || refuse RELEASE_INCOMPLETE "$1"
  matches_its_sum "$1" "$sha" || refuse RELEASE_DAMAGED "$1"
  # One whose kind cannot be told from here is for the host to judge.
  for arch in ${arch:-arm64 x64}; do cp "$work/notes" "$work/release.$arch"; done
}

refuse() {
  printf '%s: %s (%s)\n' "$1" "$(sentence "$1")" "${2//[[:cntrl:]]/?}" >&2
  exit 1
}

# run_hosts FROM TO KEEP_GOING: as many at a time as allowed; fails when one of them did.
run_hosts() {
  local next="$1" running=0 failed=no
  while true; do
    while ((running < parallel && next < $2)) && [[ "$failed" == no || "$3" == yes ]]; do
      begin_host "$next"
      next=$((next + 1)) running=$((running + 1))
    done
    ((running > 0)) || break
    wait -n || failed=yes
    running=$((running - 1))
  done
  [[ "$failed" == no ]]
}

# A process group of its own for each host, so that all below it can be ended at once.
begin_host() {
  : >"$work/$1.begun"
  set -m
  deploy_to_host "${hosts[$1]}" "$work/$1" 8>&- </dev/null &
  set +m
  workers+=($!)
}

# shellcheck disable=SC2317 # the traps call it
stop() {
  local worker tenths
  trap '' HUP INT TERM
  for worker in "${workers[@]}"; do kill -TERM -- "-$worker" 2>/dev/null || true; done
  for ((tenths = STOP_S * 10; tenths > 0; tenths--)); do
    any_worker_lives || break
    sleep 0.1
  done
  for worker in "${workers[@]}"; do kill -KILL -- "-$worker" 2>/dev/null || true; done
  summarise
  exit "$1"
}

# shellcheck disable=SC2317 # as above
any_worker_lives() {
  local worker
  for worker in "${workers[@]}"; do ! kill -0 -- "-$worker" 2>/dev/null || return 0; done
  return 1
}

# One line for each host, in the order of the command line.
summarise() {
  local index
  for index in "${!hosts[@]}"; do
    if [[ -f "$work/$index.result" ]]; then
      cat "$work/$index.result"
    elif [[ -f "$work/$index.begun" ]]; then
      printf '%s failed DEPLOY_STOPPED %s\n' "${hosts[$index]}" "$(sentence DEPLOY_STOPPED)"
    else
      printf '%s skipped\n' "${hosts[$index]}"
    fi
  done
}

main "$@"
