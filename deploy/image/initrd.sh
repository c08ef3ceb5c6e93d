#!/bin/bash
# One initrd a kernel: initrd.sh ROOT.tar.zst BOARDS.tar.zst OUT.tar.zst. Debian's own tool makes them in the root,
# under emulation, so the result is cached; both at the same time.
set -euo pipefail
# shellcheck source=settings.sh
. "$(dirname "$0")/settings.sh"

root_tar=$1 boards_tar=$2 out=$3
work=$(mktemp -d "$CACHE/initrd.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$root" "$work/out"
tar -C "$root" -xf "$root_tar"
tar -C "$root" --strip-components=2 -xf "$boards_tar" ./root
mkdir -p "$root/boot"
tar -C "$root/boot" --strip-components=2 -xf "$boards_tar" ./config
cp -a --no-preserve=ownership "$HERE/overlay/etc/initramfs-tools/." "$root/etc/initramfs-tools/"
sed -i -e 's/^MODULES=.*/MODULES=list/' -e 's/^#\? *COMPRESS=.*/COMPRESS=zstd/' "$root/etc/initramfs-tools/initramfs.conf"
printf 'RESUME=none\n' >"$root/etc/initramfs-tools/conf.d/resume"

# In a mount namespace of its own: /proc is gone with the last process, whatever happens.
make_initrd() { # make_initrd VERSION
  # shellcheck disable=SC2016
  unshare --mount --propagation private bash -c '
    mount -t proc proc "$1/proc"
    SOURCE_DATE_EPOCH=$3 exec chroot "$1" mkinitramfs -o "/boot/initrd-$2" "$2"
  ' make-initrd "$root" "$1" "${SOURCE_DATE_EPOCH:-1}" >&2
}

pids=()
for modules in "$root"/usr/lib/modules/*; do
  make_initrd "$(basename "$modules")" &
  pids+=("$!")
done
failed=
for pid in "${pids[@]}"; do
  wait "$pid" || failed=yes
done
[[ -z $failed ]] || die "an initrd could not be made"
mv "$root"/boot/initrd-* "$work/out/"
tar -C "$work/out" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@"${SOURCE_DATE_EPOCH:-1}" -cf - . | zstd -q -1 -f -o "$out.part"
mv "$out.part" "$out"
