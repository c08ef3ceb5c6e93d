# shellcheck shell=bash
# What an owner has left on the boot partition, carried over to the next one. Sourced by rewrite-os.sh, whose are
# `device`, `first_mb`, `work` and `fail`; needs boot-sector.sh.
# shellcheck disable=SC2154
#
# The copies lie on the card itself, in the gap between its table and its first partition, until they are back in place:
# they hold passwords, so they belong on no other disk, and no second card that is written in between can get them. They
# count only on a card that is shut: one that boots may have served for months since, with newer files of its owner.

# What provisioning takes for its file (deploy/provision/boot-partition.ts), and the settings of the board. The former
# ones first: newer ones take their place.
FORMER=(config.old.txt config.old{2..9}.txt)
OWNER_FILES=(aivoice.toml aivoice.toml.txt "${FORMER[@]}" config.txt)
# In MiB from the start of the card: a line that says that the copies are whole, and the copies, as a small FAT.
MARK_MB=1 COPIES_MB=2
COPIES_COUNT_MB=2

card_file() { # card_file get|put FAT NAME FILE: FAT as mtools name it, IMAGE[@@OFFSET]
  if [[ $1 == get ]]; then
    mcopy -n -o -i "$2" "::/$3" "$4" 2>/dev/null
  else
    mcopy -o -i "$2" "$4" "::/$3"
  fi
}

has_file() { # has_file FAT NAME
  local names
  names=$(mdir -b -i "$1" :: 2>/dev/null) && grep -qixF "::/$2" <<<"$names"
}

read_copies() { # to $work/copies; fails where there are none that are whole
  local mark sum
  mark=$(dd if="$device" bs=512 skip=$((MARK_MB * MIB / 512)) count=1 status=none | tr -d '\0') || return 1
  [[ $mark =~ ^aivoice-copies\ ([0-9a-f]{64})$ ]] || return 1
  sum=${BASH_REMATCH[1]}
  dd if="$device" bs="$MIB" skip=$COPIES_MB count=$COPIES_COUNT_MB of="$work/copies" status=none || return 1
  [[ $(sha256sum <"$work/copies") == "$sum  -" ]]
}

write_copies() { # from $work/copies; the mark goes last
  dd if="$work/copies" of="$device" bs="$MIB" seek=$COPIES_MB conv=notrunc,fsync status=none &&
    printf 'aivoice-copies %s' "$(sha256sum <"$work/copies" | cut -d' ' -f1)" |
    dd of="$device" bs=512 seek=$((MARK_MB * MIB / 512)) conv=sync,notrunc,fsync status=none
}

# Nothing of the passwords stays.
forget_copies() {
  if ! { dd if=/dev/zero of="$device" bs="$MIB" seek=$COPIES_MB count=$COPIES_COUNT_MB conv=notrunc,fsync status=none &&
    dd if=/dev/zero of="$device" bs=512 seek=$((MARK_MB * MIB / 512)) count=1 conv=notrunc,fsync status=none; }; then
    unwritable
  fi
}

# The boot partition may be beyond reading: then there is nothing to carry, and a new one is just what is wanted.
collect_owner_files() {
  local name fat=$device@@${first_mb}M
  mdir -b -i "$fat" :: >/dev/null 2>&1 ||
    printf '起動用の区画を読めないので、引き継ぐファイルはありません。 The boot partition cannot be read: nothing is carried over.\n'
  rm -f "$work/copies"
  mformat -C -i "$work/copies" -T $((COPIES_COUNT_MB * 2048)) -h 1 -s 63 ::
  for name in "${OWNER_FILES[@]}"; do
    has_file "$fat" "$name" || continue
    if ! { card_file get "$fat" "$name" "$work/$name" && card_file put "$work/copies" "$name" "$work/$name" 2>/dev/null; }; then
      fail "カードの $name を写せません。別の場所に保存し、カードから消してからもう一度実行してください。何も書いていません。" \
        "$name on the card cannot be carried over: save it elsewhere, remove it from the card, and run this again. Nothing was written."
    fi
  done
}

# Those of a run that was cut short are the owner's: what is in the boot partition by now is half of either image. Where
# they are forgotten already, all is back there, and mtools read it although it is shut.
keep_owner_files() {
  ((first_mb >= COPIES_MB + COPIES_COUNT_MB)) ||
    fail "$device の先頭に空きがありません。" "There is no room before the first partition of $device."
  if ! { is_shut && read_copies; }; then
    collect_owner_files
    if ! { write_copies && read_copies; }; then unwritable; fi
  fi
}

# Where a former config.txt goes, when those that were kept before are back: what an owner has kept must not give way to
# one that only came with the former image. The last name is taken again and again.
name_of_former() {
  local name
  for name in "${FORMER[@]}"; do
    has_file "$work/copies" "$name" || break
    cmp -s "$work/$name" "$work/config.txt" && break
  done
  printf '%s' "$name"
}

give_back_owner_files() {
  local name to fat=$device@@${first_mb}M
  for name in "${OWNER_FILES[@]}"; do
    has_file "$work/copies" "$name" || continue
    to=$name
    card_file get "$work/copies" "$name" "$work/$name" || lost "$name"
    if [[ $name == config.txt ]]; then
      card_file get "$fat" config.txt "$work/config.new" && cmp -s "$work/config.txt" "$work/config.new" && continue
      to=$(name_of_former)
      printf 'config.txt: 前のものは %s に残しました。 The former one is in %s.\n' "$to" "$to"
    fi
    card_file put "$fat" "$to" "$work/$name" || lost "$name"
    card_file get "$fat" "$to" "$work/back" || lost "$name"
    cmp -s "$work/$name" "$work/back" || lost "$name"
  done
  sync "$device"
}

lost() {
  fail "$1 を戻せません。もう一度実行してください。" "$1 could not be put back: run this again."
}
