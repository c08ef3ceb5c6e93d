#!/bin/bash
# Puts the image together without loop devices, mounts or device nodes: disk.sh ROOT-FOLDER FAT-FOLDER OUT.img.
# AIVOICE_IMAGE_SIZES="boot slot data" (MiB) makes a small one for tests.
set -euo pipefail
# shellcheck source=settings.sh
. "$(dirname "$0")/settings.sh"

root=$1 fat=$2 out=$3
read -r boot_mb slot_mb data_mb <<<"${AIVOICE_IMAGE_SIZES:-$BOOT_MB $SLOT_MB $DATA_MB}"
: "${SOURCE_DATE_EPOCH:=1}"
export SOURCE_DATE_EPOCH E2FSPROGS_FAKE_TIME=$SOURCE_DATE_EPOCH
work=$(mktemp -d "$(dirname "$out")/disk.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Fixed ids and one time for all: the same input gives the same bytes.
SLOT_ID=61697665-0000-4000-8000-00000000000a
DATA_ID=61697665-0000-4000-8000-00000000000d

make_boot() {
  truncate -s "${boot_mb}M" "$work/boot"
  # FAT32 whatever the size: the boot ROM of a Pi 3 has trouble with a small FAT16.
  mkfs.vfat -F 32 -n BOOT -i "${LABEL_ID#0x}" --invariant "$work/boot" >"$work/mkfs.log"
  find "$fat" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
  local names
  mapfile -t names < <(find "$fat" -mindepth 1 -maxdepth 1 | LC_ALL=C sort)
  TZ=UTC mcopy -s -m -i "$work/boot" "${names[@]}" ::/
}

# Without a journal: nothing ever writes to it.
make_slot() {
  truncate -s "${slot_mb}M" "$work/slot"
  mke2fs -q -t ext4 -L rootA -U "$SLOT_ID" -m 0 -O '^has_journal,^metadata_csum_seed' \
    -E "hash_seed=$SLOT_ID,root_owner=0:0,lazy_itable_init=0" -d "$root" "$work/slot"
  settle_inodes "$work/slot"
}

# The file system takes over when a file of the tree was last changed or read, which is the moment of this build.
settle_inodes() { # settle_inodes FILE
  local last
  last=$(($(dumpe2fs -h "$1" 2>/dev/null | awk '/^Inode count/ { all = $3 } /^Free inodes/ { free = $3 } END { print all - free }')))
  seq 1 "$last" | awk -v time="@$SOURCE_DATE_EPOCH" '{
    for (field = split("ctime atime crtime", fields, " "); field > 0; field--) {
      print "set_inode_field <" $1 "> " fields[field] " " time
      print "set_inode_field <" $1 "> " fields[field] "_extra 0"
    }
  }' | debugfs -w -f - "$1" >"$work/debugfs.log" 2>&1
}

# Empty: the initrd fills it out of the root at the first boot. 4 KiB blocks, since a small file system gets 1 KiB by
# default and keeps them for ever after it has grown to the whole card; enough inodes come with the growth.
make_data() {
  truncate -s "${data_mb}M" "$work/data"
  mke2fs -q -t ext4 -b 4096 -L data -U "$DATA_ID" -m 1 -O '^metadata_csum_seed' -J size=8 \
    -E "hash_seed=$DATA_ID,root_owner=0:0,resize=67108864" "$work/data"
}

make_table() { # FAT, slot A, slot B (reserved), data
  local boot_at=$ALIGN_MB
  local slot_at=$((boot_at + boot_mb))
  local spare_at=$((slot_at + slot_mb))
  local data_at=$((spare_at + slot_mb))
  rm -f "$out"
  truncate -s "$((data_at + data_mb))M" "$out"
  sfdisk -q "$out" <<TABLE
label: dos
label-id: $LABEL_ID
start=${boot_at}MiB size=${boot_mb}MiB type=c bootable
start=${slot_at}MiB size=${slot_mb}MiB type=83
start=${spare_at}MiB size=${slot_mb}MiB type=83
start=${data_at}MiB size=${data_mb}MiB type=83
TABLE
  put boot "$boot_at"
  put slot "$slot_at"
  put data "$data_at"
}

put() { # put NAME MIB
  dd if="$work/$1" of="$out" bs=1M seek="$2" conv=notrunc,sparse status=none
}

make_boot
make_slot
make_data
make_table
