#!/usr/bin/env bash
# Puts a release on a Raspberry Pi OS or Debian that somebody uses already: the same places, units and users as on the
# image, but nothing of the system's own settings. Copy the folder deploy/ and a release there, or run it in a checkout.
set -euo pipefail

folder="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=language.sh
source "$folder/language.sh"
# shellcheck source=pi-os/words.sh
source "$folder/pi-os/words.sh"
# shellcheck source=pi-os/system.sh
source "$folder/pi-os/system.sh"
# shellcheck source=pi-os/release.sh
source "$folder/pi-os/release.sh"
# shellcheck source=pi-os/removal.sh
source "$folder/pi-os/removal.sh"

readonly FAILED=1 REFUSED=4 BUSY=6 WRONG_USAGE=64
# Seconds: the start of the unit, and the first answer of the appliance after it.
readonly START_S=150 READY_S=60

release='' signers='' owner='' upgrades=no yes=no root='' removes=no
# Options of the installer, where the release comes as an update.
wishes=()
release_version='' release_commit=''
# Whether the release has become the factory's.
is_factory=no

main() {
  read_arguments "$@"
  [[ -n "$root" || $EUID == 0 ]] || refuse NEEDS_ROOT
  umask 022
  take_turn
  if [[ "$removes" == yes ]]; then
    uninstall
    return
  fi
  check_system
  [[ -z "$owner" ]] || id -u -- "$owner" >/dev/null 2>&1 || refuse OWNER_UNKNOWN "$owner"
  add_packages
  make_work_folder
  unpack_release "$release" "$signers" "$work"
  say "$(phrase "リリース $release_version は正しく署名されています" "release $release_version is rightly signed")"
  put_in_place
  set_up_sudo
  if [[ -z "$root" ]]; then start_appliance; fi
  say "$(phrase '接続先は /etc/aivoice/endpoint か appliance.toml に書き、「sudo systemctl restart aivoice.service」を実行してください' \
    'Write the endpoint into /etc/aivoice/endpoint or appliance.toml, then "sudo systemctl restart aivoice.service"')"
}

read_arguments() {
  while (($# > 0)); do
    case "$1" in
      --help | -h)
        usage
        exit 0
        ;;
      --unattended-upgrades) upgrades=yes ;;
      --yes) yes=yes ;;
      --uninstall) removes=yes ;;
      --downgrade | --again) wishes+=("$1") ;;
      --release | --signers | --owner | --root)
        (($# > 1)) || wrong_usage "$1: $(phrase '値がありません' 'expected a value')"
        read_option "$1" "$2"
        shift
        ;;
      *) wrong_usage "$1: $(phrase '知らない引数です' 'unknown argument')" ;;
    esac
    shift
  done
  [[ "$removes" == yes ]] || { [[ -n "$release" && -n "$signers" ]] \
    || wrong_usage "$(phrase '--release と --signers を書いてください' 'expected --release and --signers')"; }
}

read_option() {
  case "$1" in
    --release | --signers)
      [[ -f "$2" && -r "$2" ]] || wrong_usage "$1: $(phrase '読めるファイルがありません' 'no such readable file'): $2"
      if [[ "$1" == --release ]]; then release="$(realpath -- "$2")"; else signers="$(realpath -- "$2")"; fi
      ;;
    --owner)
      [[ "$2" =~ ^[a-z_][a-z0-9_-]{0,31}$ ]] || wrong_usage "--owner: $(phrase 'ユーザー名ではありません' 'not the name of a user'): $2"
      owner="$2"
      ;;
    --root)
      [[ -d "$2" ]] || wrong_usage "--root: $(phrase 'フォルダーがありません' 'no such folder'): $2"
      root="$(realpath -- "$2")"
      root="${root%/}"
      ;;
  esac
}

# One at a time; the lock goes with the process that holds it.
# A folder is locked itself: it may be anybody's, and nothing is to stay in it.
take_turn() {
  if [[ -n "$root" ]]; then exec 9<"$root"; else exec 9>/run/aivoice-on-pi-os.lock; fi
  flock -n 9 || stop_with "$BUSY" UPDATE_BUSY
}

add_packages() {
  [[ -z "$root" ]] || return 0
  local wanted=("${PACKAGES[@]}")
  [[ -z "$owner" ]] || wanted+=(sudo)
  [[ "$upgrades" == no ]] || wanted+=(unattended-upgrades)
  install_packages "${wanted[@]}"
  [[ "$upgrades" == no ]] || write_file 0644 etc/apt/apt.conf.d/52aivoice-upgrades <<'TEXT'
APT::Periodic::Update-Package-Lists "1";
APT::Periodic::Unattended-Upgrade "1";
TEXT
}

# Beside the place where the release will be, so that it gets there by one rename. Leavings of a killed run go first.
make_work_folder() {
  work="$root/opt/aivoice/.installing"
  rm -rf "$work"
  mkdir -p "$root/opt/aivoice"
  mkdir -m 0700 "$work"
  trap 'rm -rf "$work"; rmdir --ignore-fail-on-non-empty "$root/opt/aivoice"' EXIT
}

put_in_place() {
  "$folder/systemd/place.sh" "${root:-/}" host || fail NOT_PLACED
  install -m 0755 -d "$root/opt/aivoice/bin" "$root/usr/local/bin"
  local name
  for name in aivoice aivoice-install; do
    install -m 0755 "$folder/install/launchers/$name" "$root/opt/aivoice/bin/$name"
    ln -sfn "/opt/aivoice/bin/$name" "$root/usr/local/bin/$name"
  done
  install -m 0644 "$signers" "$root/opt/aivoice/allowed_signers"
  systemd-tmpfiles --root="${root:-/}" --create "$root/usr/lib/tmpfiles.d/aivoice.conf" || fail NOT_PLACED
  local level
  level="$(<"$folder/systemd/level")"
  # The units are new by now, whatever release they came with.
  if [[ -e "$root/opt/aivoice/image.json" ]]; then sed -i "s/\"osLevel\":[0-9]*/\"osLevel\":$level/" "$root/opt/aivoice/image.json"; fi
  # A factory release is the last resort, so it is not changed where it may be needed: there the release is an update.
  if [[ -z "$root" && -d /opt/aivoice/factory ]]; then return; fi
  write_file 0644 opt/aivoice/image.json <<TEXT
{"schema":1,"image":false,"version":"$release_version","builtAt":"$(date -u +%Y-%m-%dT%H:%M:%SZ)","osLevel":$level,"debian":"$(os_field VERSION_CODENAME)","commit":"$release_commit"}
TEXT
  sync -f "$work"
  rm -rf "$root/opt/aivoice/factory"
  mv "$work/tree" "$root/opt/aivoice/factory"
  is_factory=yes
  sync -f "$root/opt/aivoice"
}

# Exactly what the owner of an image may do. Without an owner only what keeps keys out of sudo's log, where there is a sudo
# and no earlier run has allowed an owner.
set_up_sudo() {
  local change="s/^owner /$owner /" code=OWNER_UNKNOWN
  if [[ -z "$owner" ]]; then
    [[ -d "$root/etc/sudoers.d" && ! -e "$root/etc/sudoers.d/aivoice" ]] || return 0
    change='/^owner /d; /^# The owner/,/^# launcher/d' code=NOT_PLACED
  fi
  # A file that sudo would refuse is never put there.
  sed "$change" "$folder/systemd/image/etc/sudoers.d/aivoice" | write_file 0440 etc/sudoers.d/aivoice.new
  if command -v visudo >/dev/null; then visudo -cqf "$root/etc/sudoers.d/aivoice.new" || fail "$code" "$owner"; fi
  mv "$root/etc/sudoers.d/aivoice.new" "$root/etc/sudoers.d/aivoice"
}

start_appliance() {
  systemctl daemon-reload
  timeout "$START_S" systemctl start aivoice-guard.service aivoice.service || fail NOT_STARTED
  [[ "$is_factory" == yes ]] || update_appliance
  wait_for_answer
}

# Ends with the installer's own exit code where the release did not come to serve.
update_appliance() {
  local status=0
  AIVOICE_LANGUAGE="$(language_of_reader)" /usr/local/bin/aivoice-install apply "$release" "${wishes[@]}" || status=$?
  ((status == 0)) || exit "$status"
}

# Shows the status as soon as there is one: without an endpoint no appliance is ready, and it says so itself.
wait_for_answer() {
  local status=0 left
  for ((left = READY_S; left > 0; left--)); do
    status=0
    /usr/local/bin/aivoice status >"$work/status" 2>&1 || status=$?
    ((status == 3)) || break
    sleep 1
  done
  cat "$work/status"
  ((status != 3)) || fail NOT_STARTED
}

# write_file MODE PATH: what stands on stdin, below the root.
write_file() {
  mkdir -p "$(dirname "$root/$2")"
  install -m "$1" /dev/stdin "$root/$2"
}

say() { printf '%s\n' "$1"; }

refuse() { stop_with "$REFUSED" "$@"; }

fail() { stop_with "$FAILED" "$@"; }

# stop_with EXIT CODE DETAIL
stop_with() {
  printf '%s: %s%s\n' "$2" "$(sentence "$2")" "${3:+ (${3//[[:cntrl:]]/?})}" >&2
  exit "$1"
}

wrong_usage() {
  printf 'USAGE: %s\n\n' "${1//[[:cntrl:]]/?}" >&2
  usage >&2
  exit $WRONG_USAGE
}

main "$@"
