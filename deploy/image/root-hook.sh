#!/bin/bash
# Called by mmdebstrap: root-hook.sh before|after DEBS ROOT. Keeps packages that were fetched, so that a build that was
# cut short fetches none twice, and the date of Debian's own lists, which tells the age of what is installed.
set -euo pipefail

moment=$1 debs=$2 root=$3
archives=$root/var/cache/apt/archives

copy_debs() { # copy_debs FROM TO
  find "$1" -maxdepth 1 -name '*.deb' -exec cp -n -t "$2" {} +
}

newest_list() {
  local date
  cat "$root"/var/lib/apt/lists/*Release | sed -n 's/^Date: //p' | while read -r date; do
    date -u -d "$date" +%s
  done | sort -n | tail -n 1
}

case $moment in
  before)
    mkdir -p "$archives/partial"
    copy_debs "$debs" "$archives"
    ;;
  after)
    copy_debs "$archives" "$debs"
    rm -f "$archives"/*.deb "$root"/var/cache/apt/*.bin
    mkdir -p "$root/usr/share/aivoice-image"
    newest_list >"$root/usr/share/aivoice-image/packages-at"
    find "$root/var/lib/apt/lists" -type f -delete
    ;;
esac
