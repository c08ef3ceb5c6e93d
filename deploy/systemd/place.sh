#!/usr/bin/env bash
# place.sh ROOT image|host: puts units, users, and settings of the operating system below ROOT, and enables them.
#
#   image  all of it: ROOT is the tree that an image is made of
#   host   only the appliance's own units, for a Raspberry Pi OS or Debian that somebody already uses; ROOT is / there
#
# It starts nothing and may be run again. The caller runs `systemctl daemon-reload`, where there is a manager to reload.
# Exit code: 0 done, 64 wrong usage, otherwise the first step that failed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# First version that knows RestartSteps= (systemd.service(5)).
readonly STEPS_SINCE=254

usage() {
  echo "usage: $0 ROOT image|host" >&2
  exit 64
}

mode_of() {
  case $1 in
    opt/aivoice/bin/*) echo 0755 ;;
    etc/sudoers.d/*) echo 0440 ;;
    *) echo 0644 ;;
  esac
}

copy_tree() {
  local tree=$1 root=$2 file
  while IFS= read -r -d '' file; do
    install -D -m "$(mode_of "$file")" "$here/$tree/$file" "$root/$file"
  done < <(cd "$here/$tree" && find . -type f -printf '%P\0' | sort -z)
}

enable_unit() {
  local unit=$1 root=$2 wants="$2/etc/systemd/system/multi-user.target.wants"
  [ -e "$root/etc/systemd/system/$unit" ] || return 0
  mkdir -p "$wants"
  ln -sfn "../$unit" "$wants/$unit"
}

# 0 where no version can be told: then the older set is right.
systemd_version() {
  local told
  told=$(systemctl --version 2>/dev/null | head -n 1) || true
  told=${told#systemd }
  told=${told%% *}
  [[ $told =~ ^[0-9]+$ ]] && echo "$told" || echo 0
}

# Works for any processor: it only writes passwd, group and shadow below ROOT.
make_users() {
  local root=$1
  shift
  command -v systemd-sysusers >/dev/null || {
    echo "$0: systemd-sysusers is missing, so the users of sysusers.d are made at the next boot" >&2
    return 0
  }
  systemd-sysusers --root="$root" "$@"
}

# sysusers locks an account with !*, which some checks of PAM and sshd refuse also where a key is shown.
allow_key_login() {
  local shadow=$1/etc/shadow
  [ -f "$shadow" ] && sed -i 's/^owner:[^:]*:/owner:*:/' "$shadow"
}

main() {
  [ $# -eq 2 ] || usage
  local root=${1%/} kind=$2
  local users=("$here/every/usr/lib/sysusers.d/aivoice.conf")
  case $kind in
    image)
      copy_tree every "$root"
      copy_tree newer "$root"
      copy_tree image "$root"
      users+=("$here/image/usr/lib/sysusers.d/aivoice-owner.conf")
      ;;
    host)
      copy_tree every "$root"
      if [ "$(systemd_version)" -ge "$STEPS_SINCE" ]; then copy_tree newer "$root"; fi
      ;;
    *) usage ;;
  esac
  make_users "${root:-/}" "${users[@]}"
  if [ "$kind" = image ]; then allow_key_login "$root"; fi
  local unit
  for unit in aivoice.service aivoice-guard.service aivoice-provision.service aivoice-network.timer; do
    enable_unit "$unit" "$root"
  done
}

main "$@"
