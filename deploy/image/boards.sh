#!/bin/bash
# Kernels, modules, device trees and firmware of the boards: a tar of root/ (for the root) and boot/ (for the FAT
# partition). Packages of data alone are taken apart here, natively, in seconds; under emulation the kernel's package
# would take minutes and its hooks would look at this machine for consoles and model.
set -euo pipefail
# shellcheck source=settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=apt.sh
. "$HERE/apt.sh"
# shellcheck source=modules.sh
. "$HERE/modules.sh"

out=$1
work=$(mktemp -d "$CACHE/boards.XXXXXX")
trap 'rm -rf "$work"' EXIT
tree=$work/tree
mkdir -p "$tree/root" "$tree/boot/pi5" "$CACHE/debs"

# The name of a kernel's package holds its version, so it is asked of the package that stands for the newest. Newer
# kernels come in pieces.
kernel_packages() { # kernel_packages [-t SUITE]
  local newest version
  newest=$(apt-cache "$@" depends --important linux-image-arm64 |
    awk '$1 == "Depends:" && $2 ~ /^linux-image-[0-9]/ { print $2; exit }')
  [[ -n $newest ]] || die "there is no kernel for arm64 ($*)"
  version=${newest#linux-image-}
  printf '%s\n' "$newest"
  apt-cache depends --important "$newest" | awk -v version="$version" '
    $1 == "Depends:" && $2 ~ /^linux-(base|binary|modules)-/ && index($2, version) { print $2 }'
}

fetch() { # fetch PACKAGE…: the files' paths, one a line
  (cd "$CACHE/debs" && apt-get -qq download "$@" >&2)
  local package version file
  for package in "$@"; do
    version=$(apt-cache show --no-all-versions "$package" | awk '$1 == "Version:" { print $2; exit }')
    file=$(find "$CACHE/debs" -name "${package}_${version//:/%3a}_*.deb" | head -1)
    [[ -n $file ]] || die "$package $version was not fetched"
    printf '%s\n' "$file"
  done
}

# Contents to FOLDER; a line a package for the list of contents, and its licence, go into the tree.
unpack() { # unpack FOLDER FILE…
  local folder=$1 file
  shift
  mkdir -p "$folder"
  for file in "$@"; do
    dpkg-deb -x "$file" "$folder"
    # shellcheck disable=SC2016 # dpkg fills these in
    dpkg-deb --showformat='${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\n' -W "$file" \
      >>"$tree/packages.tsv"
  done
  mkdir -p "$tree/root"
  (cd "$folder" && find usr/share/doc -name copyright -type f -exec cp --parents -t "$tree/root" {} +)
}

# One kernel: modules thinned to the list and put into the root, the kernel and its device trees into the FAT.
add_kernel() { # add_kernel BOOT-FOLDER DEVICE-TREE-PATTERN [-t SUITE]
  local boot=$1 pattern=$2 parts=$work/kernel version modules found fetched names files
  shift 2
  rm -rf "$parts"
  # By way of a string: a failure inside <( ) would go unseen.
  found=$(kernel_packages "$@")
  mapfile -t names <<<"$found"
  fetched=$(fetch "${names[@]}")
  mapfile -t files <<<"$fetched"
  unpack "$parts" "${files[@]}"
  version=$(basename "$parts"/usr/lib/modules/*)
  modules=$parts/usr/lib/modules/$version
  # Newer kernels keep all of theirs below the modules.
  find "$parts" -name 'vmlinuz*' -type f -exec cp {} "$boot/vmlinuz" \;
  find "$parts" -path "*/broadcom/$pattern.dtb" -exec cp -t "$boot" {} +
  # The maker of the initrd asks the kernel's settings which compression it reads.
  mkdir -p "$tree/config"
  find "$parts/boot" "$modules" -maxdepth 1 -name 'config*' -exec cp {} "$tree/config/config-$version" \; 2>/dev/null || true
  [[ -s $boot/vmlinuz && -s $tree/config/config-$version ]] || die "the packages of kernel $version are laid out anew"
  rm -rf "$modules"/{dtb,vmlinuz,System.map,config,build,source}
  prune_modules "$parts" "$version" "$HERE/packages/modules.list"
  mkdir -p "$tree/root/usr/lib/modules"
  mv "$modules" "$tree/root/usr/lib/modules/$version"
  printf '%s\n' "$version" >"$boot/kernel-version"
}

# Only the radio chips that sit on these boards; the rest of the package is for tablets and laptops.
add_firmware() {
  local parts=$work/firmware fetched names files
  mapfile -t names < <(listed "$HERE/packages/boards.list")
  fetched=$(fetch "${names[@]}")
  mapfile -t files <<<"$fetched"
  unpack "$parts" "${files[@]}"
  local from=$parts/usr/lib/firmware to=$tree/root/usr/lib/firmware
  mkdir -p "$to/brcm" "$to/cypress"
  cp -a "$from"/brcm/brcmfmac434{30,36,55,56}* "$to/brcm/" 2>/dev/null || true
  cp -a "$from"/cypress/cyfmac434{30,55}* "$to/cypress/"
  find "$to/brcm" -name '*.txt' ! -name '*raspberrypi*' ! -name 'brcmfmac434??-sdio.txt' -delete
  cp "$from/regulatory.db-debian" "$to/regulatory.db"
  cp "$from/regulatory.db.p7s-debian" "$to/regulatory.db.p7s"
  cp "$parts"/usr/lib/raspi-firmware/{bootcode.bin,fixup.dat,fixup4.dat,start.elf,start4.elf} "$tree/boot/"
  cp -r "$parts/usr/lib/raspi-firmware/overlays" "$tree/boot/"
}

find_mirrors
private_apt "$work/apt" "${SUITES[@]}" "$BACKPORTS"
export APT_CONFIG=$work/apt/apt.conf
add_firmware
add_kernel "$tree/boot" 'bcm2[78][13][17]-rpi-*'
add_kernel "$tree/boot/pi5" 'bcm2712*' -t "$BACKPORTS"
# The firmware of the board asks for its own name of the newer stepping.
cp "$tree/boot/pi5/bcm2712-d-rpi-5-b.dtb" "$tree/boot/pi5/bcm2712d0-rpi-5-b.dtb"
tar -C "$tree" --sort=name --owner=0 --group=0 --numeric-owner -cf - . | zstd -q -T0 -5 -f -o "$out.part"
mv "$out.part" "$out"
