# shellcheck shell=bash
# What makes a card bootable, and when it is there. Sourced by rewrite-os.sh, whose are `device`, `first_mb`, `work`,
# `read_image` and `fail`.
# shellcheck disable=SC2154
#
# A device that boots half of a system, or before its owner's files are back, would apply and wipe what is to be carried
# over. So the first sector of the boot partition goes before all else, and comes last of all. Until then it is shut: it
# holds what mtools need to find their way, the BIOS parameter block, and nothing by which a boot loader or a desktop knows
# a FAT (jump, type, signature).

SECTOR=512
# Microsoft FAT specification, 3.1 and 3.3: the block, and the two bytes that end a sector which may be booted.
BPB_AT=11 BPB_COUNT=53
SIGNATURE=55aa

worn() {
  fail "書いた内容を読み戻せません。カードが傷んでいます。" "What was written reads back otherwise: the card is worn."
}

unwritable() {
  fail "$device に書けません。" "$device cannot be written."
}

# Also a card whose boot partition is something else: what may be read of it is for mtools to say.
is_shut() {
  [[ $(card_sector | tail -c 2 | od -An -v -tx1 | tr -d ' \n') != "$SIGNATURE" ]]
}

card_sector() {
  dd if="$device" bs=$SECTOR skip=$((first_mb * MIB / SECTOR)) count=1 status=none
}

put_sector() { # from stdin; on the card when it returns
  dd of="$device" bs=$SECTOR seek=$((first_mb * MIB / SECTOR)) count=1 iflag=fullblock conv=notrunc,fsync status=none
}

# The first MiB of the boot partition as it is given out, and shut.
prepare_sector() {
  read_image "$first_mb" 1 >"$work/open"
  {
    head -c $BPB_AT /dev/zero
    dd if="$work/open" bs=1 skip=$BPB_AT count=$BPB_COUNT status=none
    head -c $((SECTOR - BPB_AT - BPB_COUNT)) /dev/zero
    tail -c +$((SECTOR + 1)) "$work/open"
  } >"$work/shut"
}

close_card() {
  head -c $SECTOR /dev/zero | put_sector || unwritable
}

open_card() {
  head -c $SECTOR "$work/open" | put_sector || unwritable
  cmp -s <(head -c $SECTOR "$work/open") <(card_sector) || worn
}
