#!/usr/bin/env bash
# Takes the appliance off a system again. `root` and `folder` are the script's.
# shellcheck disable=SC2154

uninstall() {
  ! is_image || refuse IS_IMAGE
  if [[ -z "$root" ]]; then
    systemctl stop aivoice-watch.service aivoice-mend.service aivoice.service aivoice-guard.service aivoice-clock.service 2>/dev/null || true
  fi
  remove_placed
  rm -f "$root/usr/local/bin/aivoice" "$root/usr/local/bin/aivoice-install" "$root/etc/sudoers.d/aivoice"
  rm -rf "$root/opt/aivoice" "$root/var/lib/aivoice-releases" "$root/var/cache/aivoice"
  [[ -n "$root" ]] || systemctl daemon-reload
  say "$(phrase '取り除きました。設定とデータはここに残っています' 'It is removed. Settings and data stay in'):"
  local kept
  for kept in etc/aivoice var/lib/aivoice var/log/aivoice etc/apt/apt.conf.d/52aivoice-upgrades; do
    [[ ! -e "$root/$kept" ]] || say "  $root/$kept"
  done
}

# All that systemd/place.sh puts on a host.
remove_placed() {
  local tree file units="$root/etc/systemd/system"
  for tree in every newer; do
    while IFS= read -r -d '' file; do rm -f "$root/$file"; done \
      < <(cd "$folder/systemd/$tree" && find . -type f -printf '%P\0')
  done
  rm -f "$units"/multi-user.target.wants/aivoice{,-guard}.service
  [[ ! -d "$units/aivoice.service.d" ]] || rmdir --ignore-fail-on-non-empty "$units/aivoice.service.d"
}
