#!/bin/bash
# rewrite-os.sh IMAGE.img.zst DEVICE: puts a newer image onto a card that is in use, and leaves what is kept alone.
# Written are the first two partitions (boot, system); the table, the spare one and the data stay as they are: settings,
# Wi-Fi, keys, releases. DEVICE is the whole card in a reader (/dev/sdX, /dev/mmcblkX), or a file.
#
# Nothing is written before all of this holds: the image is whole (and fits its .sha256, where there is one), the card has
# the table of this product with the partitions exactly where the image has them, and nothing of it is mounted.
# What was written is read back. It may be repeated, also after it was cut short: until all is done the card does not boot
# (boot-sector.sh), and what it carries over (owner-files.sh) waits on the card itself. A changed config.txt is kept beside
# the new one as config.old.txt (or config.old2.txt and so on, where that is another one), and an aivoice.toml (or
# aivoice.toml.txt) that waits on the card is carried over.
# Exit code: 0 done, 1 failed or refused (nothing written unless it says so), 64 wrong usage.
set -euo pipefail

LABEL_ID=0x61697665
MIB=1048576
# shellcheck source=boot-sector.sh
. "$(dirname "$0")/boot-sector.sh"
# shellcheck source=owner-files.sh
. "$(dirname "$0")/owner-files.sh"

fail() { # fail JAPANESE ENGLISH
  printf '%s\n%s\n' "${1//[[:cntrl:]]/?}" "${2//[[:cntrl:]]/?}" >&2
  exit 1
}

usage() {
  cat <<'TEXT'
使い方: sudo deploy/image/rewrite-os.sh IMAGE.img.zst DEVICE
使っているカードのシステムだけを新しくします。設定、データ、リリースは残ります。DEVICE はカード全体（/dev/sdX、/dev/mmcblkX）です。
usage: sudo deploy/image/rewrite-os.sh IMAGE.img.zst DEVICE
Puts a newer system onto a card that is in use; settings, data and releases stay. DEVICE is the whole card (/dev/sdX, /dev/mmcblkX).
終了コード / exit code: 0 完了 done, 1 失敗または拒否 failed or refused, 64 使い方の誤り wrong usage
TEXT
}

wrong_usage() { # wrong_usage JAPANESE ENGLISH
  printf '%s\n%s\n\n' "$1" "$2" >&2
  usage >&2
  exit 64
}

for word; do
  case $word in
    --help | -h) usage && exit 0 ;;
    -*) wrong_usage "${word//[[:cntrl:]]/?}: 知らない引数です。" "${word//[[:cntrl:]]/?}: unknown argument." ;;
  esac
done
(($# == 2)) || wrong_usage 'イメージとカードの二つを書いてください。' 'Expected two words: the image and the card.'
image=$1 device=$2
# sfdisk and its like lie there, where a user does not look.
PATH=$PATH:/usr/sbin:/sbin
# In RAM where there is some: passwords pass through it, and a computer that loses its power wipes nothing.
if [[ -d /dev/shm && -w /dev/shm ]]; then work=$(mktemp -d -p /dev/shm); else work=$(mktemp -d); fi
trap 'rm -rf "$work"' EXIT

need_programs() {
  local program
  for program in zstd sfdisk mcopy mdir mformat sha256sum; do
    command -v "$program" >/dev/null ||
      fail "$program がありません(apt-get install zstd fdisk mtools)。" "$program is missing (apt-get install zstd fdisk mtools)."
  done
}

check_words() {
  [[ -r $image ]] || fail "$image を読めません。" "$image cannot be read."
  [[ -f $device || -b $device ]] || fail "$device はカードではありません。" "$device is no card."
  [[ -r $device && -w $device ]] || fail "$device を開けません。sudo を付けて実行してください。" "$device cannot be opened: use sudo."
}

check_image() {
  if [[ -r $image.sha256 ]]; then
    local expected
    expected=$(cut -d' ' -f1 "$image.sha256")
    sha256sum "$image" | grep -q "^$expected " ||
      fail "$image は .sha256 と合いません。もう一度ダウンロードしてください。" "$image does not match its .sha256: download it again."
  fi
  zstd -tq "$image" 2>/dev/null || fail "$image は壊れています。" "$image is damaged."
}

read_image() { # read_image SKIP-MIB COUNT-MIB: a part of the unpacked image; zstd may be cut off early
  { zstd -dcq "$image" 2>/dev/null || true; } | dd bs=$MIB skip="$1" count="$2" iflag=fullblock status=none
}

# Start, size and type of each partition, one a line, whatever the device is called; nothing where there is no table.
table_of() { # table_of FILE
  { sfdisk -d "$1" 2>/dev/null || true; } | sed -n -e 's/^label-id: */id /p' \
    -e 's/^[^:]* : start= *\([0-9]*\), size= *\([0-9]*\), type=\([0-9a-f]*\).*/\1 \2 \3/p'
}

# The last partition has grown to the end of the card: only where it begins has to be the same.
comparable() {
  awk 'NR == 5 { print $1, $3; next } { print }'
}

check_card() {
  read_image 0 1 >"$work/head"
  table_of "$work/head" | comparable >"$work/wanted"
  table_of "$device" | comparable >"$work/found"
  grep -qx "id $LABEL_ID" "$work/wanted" || fail "$image は aiVoice のイメージではありません。" "$image is no image of this product."
  grep -qx "id $LABEL_ID" "$work/found" || fail "$device は aiVoice のカードではありません。" "$device is no card of this product."
  cmp -s "$work/wanted" "$work/found" ||
    fail "$device の区画の並びがイメージと違います。全体を書き込んでください(データは消えます)。" \
      "The partitions of $device are not where the image has them: write the whole image (data is lost)."
}

check_unused() {
  [[ -b $device ]] || return 0
  if lsblk -nro MOUNTPOINT "$device" | grep -q .; then
    fail "$device はマウントされています。アンマウント(umount)してから続けてください。" "$device is mounted: unmount it first."
  fi
}

# Boot partition: from the second line of the table (the first holds the id) to the end of the system's.
find_range() {
  local start size
  read -r start _ < <(sed -n 2p "$work/wanted")
  first_mb=$((start / 2048))
  read -r start size _ < <(sed -n 3p "$work/wanted")
  count_mb=$(((start + size) / 2048 - first_mb))
}

image_part() { # image_part FIRST-MIB COUNT-MIB: as it comes onto the card
  if (($1 == first_mb)); then cat "$work/shut"; else read_image "$1" "$2"; fi
}

write_part() { # write_part FIRST-MIB COUNT-MIB: of the image to the same place of the card, and reads it back
  image_part "$1" "$2" | dd of="$device" bs=$MIB seek="$1" conv=notrunc,fsync iflag=fullblock status=none ||
    fail "書き込みに失敗しました。もう一度実行してください。" "Writing failed half way: run it again."
  cmp -s <(image_part "$1" "$2") <(dd if="$device" bs=$MIB skip="$1" count="$2" status=none) || worn
}

write_card() {
  printf '%s MiB → %s\n' "$count_mb" "$device"
  write_part "$((first_mb + 1))" "$((count_mb - 1))"
  write_part "$first_mb" 1
}

check_words
need_programs
check_unused
check_image
check_card
find_range
keep_owner_files
prepare_sector
close_card
write_card
give_back_owner_files
forget_copies
open_card
sync "$device"
printf '完了しました。データはそのままです。\nDone. Data is as it was.\n'
