# shellcheck shell=bash
# What people may read and write on the FAT partition. Sourced by tree.sh.

add_boot_files() { # add_boot_files FAT
  local fat=$1 template=$TREE/deploy/provision/aivoice.toml.example
  cp "$HERE/boot/config.txt" "$fat/config.txt"
  # The firmware looks for the kernel line beside the kernel.
  install -m 644 "$HERE/boot/cmdline.txt" "$fat/cmdline.txt"
  install -m 644 "$HERE/boot/cmdline.txt" "$fat/pi5/cmdline.txt"
  [[ -r $template ]] || die "$template is missing"
  for_any_editor <"$template" >"$fat/aivoice.toml.example"
}

# Editors of Windows take a file without a mark for one of its own encoding, and older ones show it as a single line.
for_any_editor() {
  printf '\xef\xbb\xbf'
  sed 's/$/\r/'
}
