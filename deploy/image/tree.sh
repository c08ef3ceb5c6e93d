#!/bin/bash
# The root and the FAT partition as folders: tree.sh ROOT.tar.zst BOARDS.tar.zst INITRD.tar.zst RELEASE.tar.zst WORK.
# Makes WORK/root, WORK/fat and WORK/packages.tsv. Nothing here runs under emulation.
set -euo pipefail
# shellcheck source=settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=boot-files.sh
. "$HERE/boot-files.sh"

root_tar=$1 boards_tar=$2 initrd_tar=$3 release=$4 work=$5
: "${SIGNERS:?}" "${COMMIT:?}" "${VERSION:?}" "${SOURCE_DATE_EPOCH:?}"
root=$work/root
fat=$work/fat

unpack_parts() {
  mkdir -p "$root" "$fat" "$work/initrd"
  tar -C "$root" -xf "$root_tar"
  tar -C "$root" --strip-components=2 -xf "$boards_tar" ./root
  tar -C "$fat" --strip-components=2 -xf "$boards_tar" ./boot
  tar -C "$work" -xf "$boards_tar" ./packages.tsv
  tar -C "$work/initrd" -xf "$initrd_tar"
  find "$fat" -name kernel-version | while read -r kernel; do
    mv "$work/initrd/initrd-$(cat "$kernel")" "$(dirname "$kernel")/initrd.img"
    rm "$kernel"
  done
}

# The factory release is checked as an appliance would: what is in the image can never be taken back.
add_factory() {
  local factory=$root/opt/aivoice/factory
  mkdir -p "$factory"
  tar -C "$factory" --no-same-owner --no-same-permissions -xf "$release"
  ssh-keygen -Y verify -q -f "$SIGNERS" -I aivoice-release -n aivoice-release -s "$factory/manifest.sig" \
    <"$factory/manifest.json" || die "$release is not signed by a key of $SIGNERS"
  [[ $(manifest_field "$factory" arch) == arm64 ]] || die "$release is for another architecture"
  chown -R 0:0 "$factory"
  install -m 644 "$SIGNERS" "$root/opt/aivoice/allowed_signers"
}

manifest_field() { # manifest_field FOLDER NAME
  node -e 'console.log(JSON.parse(require("node:fs").readFileSync(process.argv[1])) [process.argv[2]])' \
    "$1/manifest.json" "$2"
}

add_launchers() {
  local name
  mkdir -p "$root/opt/aivoice/bin" "$root/usr/local/bin"
  for name in aivoice aivoice-install; do
    install -m 755 "$TREE/deploy/install/launchers/$name" "$root/opt/aivoice/bin/$name"
    ln -sfn "/opt/aivoice/bin/$name" "$root/usr/local/bin/$name"
  done
}

# The date is that of Debian's lists, not of our commit: it is what tells whether a new image is due.
add_description() {
  local built
  built=$(date -u -d "@$(cat "$root/usr/share/aivoice-image/packages-at")" +%Y-%m-%dT%H:%M:%SZ)
  rm -r "$root/usr/share/aivoice-image"
  printf '{"schema":1,"version":"%s","builtAt":"%s","osLevel":%s,"debian":"%s","commit":"%s","image":true}\n' \
    "$VERSION" "$built" "$OS_LEVEL" "$SUITE" "$COMMIT" >"$root/opt/aivoice/image.json"
  chmod 644 "$root/opt/aivoice/image.json"
  # systemd sets no clock behind the time of this file.
  touch -d "$built" "$root/usr/lib/clock-epoch"
}

MASKED=(
  # the root is read-only and is renewed as a whole
  apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service
  # host keys are the device's own and live on the data partition
  sshd-keygen.service ssh.socket
  # nobody can log in there: there is no password
  getty@.service serial-getty@.service console-getty.service
  # who logs in runs a command or two; a manager of their own takes a small board seconds each time
  user@.service
  # cable always works; nothing waits for it
  NetworkManager-wait-online.service
  # for other machines: a chip of trust, EFI, hibernation, debuggers, databases with huge pages
  systemd-tpm2-setup.service systemd-tpm2-setup-early.service systemd-pcrmachine.service systemd-pcrphase.service
  systemd-pcrphase-sysinit.service systemd-pcrextend.socket systemd-pcrlock.socket modprobe@efi_pstore.service
  systemd-pstore.service systemd-hibernate-clear.service sys-kernel-debug.mount sys-kernel-tracing.mount
  dev-hugepages.mount sys-kernel-config.mount modprobe@configfs.service sys-fs-fuse-connections.mount
  modprobe@fuse.service modprobe@drm.service systemd-sysext.socket systemd-creds.socket systemd-initctl.socket
)

set_up_system() {
  cp -a --no-preserve=ownership "$HERE/overlay/." "$root/"
  "$TREE/deploy/systemd/place.sh" "$root" image
  local unit
  for unit in "${MASKED[@]}"; do
    ln -sfn /dev/null "$root/etc/systemd/system/$unit"
  done
  ln -sfn /usr/lib/systemd/system/multi-user.target "$root/etc/systemd/system/default.target"
  # NetworkManager starts it when there is a radio.
  rm -f "$root"/etc/systemd/system/multi-user.target.wants/wpa_supplicant.service
  systemd-tmpfiles --root="$root" --create --prefix=/etc --prefix=/var/lib --prefix=/var/log/aivoice \
    --prefix=/var/cache/aivoice --prefix=/home/owner aivoice.conf aivoice-image.conf
  mkdir -p "$root"/{data,boot/firmware,etc/ssh/keys,etc/NetworkManager/system-connections} \
    "$root"/var/lib/{NetworkManager,systemd/timesync,alsa}
}

# Whatever would make two devices the same, or the image another at each build.
remove_traces() {
  rm -rf "$root"/boot/[!f]* "$root"/var/log/* "$root"/var/cache/{apt,ldconfig,debconf}/* "$root"/var/lib/apt/lists/* "$root"/tmp/*
  rm -f "$root"/etc/ssh/ssh_host_* "$root/usr/sbin/policy-rc.d" "$root"/{initrd.img,vmlinuz}* "$root"/var/lib/systemd/random-seed
  # Where this machine fetches its packages is nobody's business, and no appliance fetches any.
  rm -rf "$root"/etc/apt/sources.list{,.d/*} "$root"/etc/apt/apt.conf.d/99mmdebstrap "$root"/etc/dpkg/dpkg.cfg.d/99mmdebstrap
  rm -f "$root"/etc/{passwd,group,shadow,gshadow,subuid,subgid}- "$root"/var/lib/dpkg/*-old
  : >"$root/etc/machine-id"
  ln -sfn /etc/machine-id "$root/var/lib/dbus/machine-id"
  printf 'aivoice\n' >"$root/etc/hostname"
  ln -sfn ../run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
  mkdir -p "$root/var/log/aivoice"
  systemd-tmpfiles --root="$root" --create --prefix=/var/log/aivoice --prefix=/var/cache/aivoice aivoice.conf
}

# Only what speaks Japanese or English, and no sources of what is there compiled.
thin_data() {
  local data
  rm -rf "$root/usr/lib/udev/hwdb.d"
  for data in "$root"/usr/lib/*/espeak-ng-data; do
    find "$data" -name '*_dict' ! -name 'en_dict' ! -name 'ja_dict' -delete
  done
}

# /etc starts afresh at each boot: without this systemd would rebuild its caches each time.
settle_times() {
  find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
  touch -r "$root/usr" "$root/etc/.updated" "$root/var/.updated"
}

# A password that everybody can read in the image is none.
refuse_passwords() {
  local open
  open=$(awk -F: '$2 !~ /^[!*]/ { print $1 }' "$root/etc/shadow" | paste -sd' ')
  [[ -z $open ]] || die "accounts without a lock or with a password: $open"
  if find "$root/etc/ssh" -name '*_key*' | grep -q .; then
    die "an SSH key is in the root"
  fi
}

refuse_python() {
  if find "$root/usr/bin" -name 'python3*' | grep -q .; then
    die "python3 came in: see packages/system.list"
  fi
}

unpack_parts
refuse_python
add_boot_files "$fat"
add_factory
add_launchers
set_up_system
thin_data
remove_traces
add_description
refuse_passwords
settle_times
