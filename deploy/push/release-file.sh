#!/usr/bin/env bash
# The release files that hosts can get: which one fits, and what must be known of it before it is sent.

# Enough for a manifest of 20,000 files; what follows it in the archive is not unpacked here.
readonly MANIFEST_ROOM=8M

# describe_release FILE NOTES: writes version, arch, sha256, bytes, commit and stamp into the file NOTES, a line each, and
# the path, which may be of several lines, up to a NUL.
describe_release() {
  local file="$1" notes="$2" manifest version arch sum stamp
  stamp="$(stamp_of "$file")"
  manifest="$(manifest_of "$file")"
  version="$(field_of "$manifest" version)"
  arch="$(field_of "$manifest" arch)"
  sum="$(sha256sum <"$file")"
  printf '%s\n' "${version:-$(part_of_name "$file" 1)}" "${arch:-$(part_of_name "$file" 2)}" \
    "${sum%% *}" "$(stat -Lc %s "$file")" "$(field_of "$manifest" commit)" "$stamp" >"$notes"
  printf '%s\0' "$file" >>"$notes"
}

# What tells a file from another one in its place; empty where there is none that can be read.
stamp_of() { [[ ! -r "$1" ]] || stat -Lc '%i %s %.Y' "$1" 2>/dev/null || true; }

# The newest release in FOLDER for ARCH; empty where there is none.
newest_release() {
  local folder="$1" arch="$2" newest='' file
  for file in "$folder"/aivoice-*-"$arch".tar.zst; do
    [[ -f "$file" ]] || continue
    [[ -z "$newest" || "$file" -nt "$newest" ]] && newest="$file"
  done
  printf '%s' "$newest"
}

# True unless a .sha256 beside the file says otherwise, as it does while a build still writes.
matches_its_sum() {
  local file="$1" sum="$2" told=''
  [[ -f "$file.sha256" ]] || return 0
  read -r told _ <"$file.sha256" || true
  [[ "$told" == "$sum" ]]
}

# The architecture of a release by what `uname -m` says.
arch_of_machine() {
  case "$1" in
    aarch64 | arm64) echo arm64 ;;
    x86_64 | amd64) echo x64 ;;
    *) echo "$1" ;;
  esac
}

# Empty where there is no zstd here or the file is no release: the host is the one that judges it.
manifest_of() {
  command -v zstd >/dev/null || return 0
  zstd -dcq -- "$1" 2>/dev/null | head -c "$MANIFEST_ROOM" \
    | tar -xOf - --occurrence=1 manifest.json 2>/dev/null | tr -d '\n' || true
}

# A text of the manifest's top level. The files it lists have none of these keys.
field_of() {
  sed -n 's/.*"'"$2"'":"\([0-9A-Za-z.+-]*\)".*/\1/p' <<<"$1"
}

# A part of aivoice-VERSION-ARCH.tar.zst; empty where the file has another name.
part_of_name() {
  [[ "${1##*/}" =~ ^aivoice-(.+)-(arm64|x64)\.tar\.zst$ ]] && printf '%s' "${BASH_REMATCH[$2]}"
  return 0
}
