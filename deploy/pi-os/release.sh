#!/usr/bin/env bash
# A release file: nothing of it counts before its signature does, and nothing is unpacked that its manifest does not name.
# shellcheck disable=SC2034 # release_version and release_commit are for install-on-pi-os.sh.

readonly SIGNER=aivoice-release NAMESPACE=aivoice-release
# Characters of a version.
readonly MOST_VERSION=64
# Bytes: what a release may be once unpacked (one is about 180 MB), and the room that unpacking it takes.
readonly MOST_BYTES=1073741824 ROOM_BYTES=700000000

# unpack_release FILE SIGNERS WORK: leaves the tree as WORK/tree, and sets release_version, release_commit.
unpack_release() {
  local file="$1" signers="$2" work="$3"
  has_room "$work" || refuse UPDATE_NO_SPACE "$work"
  decompress "$file" "$work"
  check_names "$work"
  tar -xOf "$work/tar" manifest.json >"$work/manifest.json" || refuse RELEASE_DAMAGED 'manifest.json'
  check_signature "$work" "$signers"
  check_manifest "$work/manifest.json"
  check_list "$work"
  # The headers of the archive are not signed: owner and mode are set by the manifest.
  mkdir "$work/tree"
  tar -xf "$work/tar" -C "$work/tree" --no-same-owner --no-same-permissions || fail RELEASE_DAMAGED 'tar'
  rm "$work/tar"
  (cd "$work/tree" && sha256sum --check --strict --quiet ../hashes) >&2 || refuse RELEASE_DAMAGED 'sha256'
  find "$work/tree" -type d -exec chmod 0755 {} + -o -type f -exec chmod 0644 {} +
  (cd "$work/tree" && xargs -r -d '\n' chmod 0755 -- <../programs)
}

has_room() {
  local room
  room="$(df --output=avail -B1 "$1" | tail -n 1)"
  ((room > ROOM_BYTES))
}

decompress() {
  local status=0
  [[ -s "$1" ]] || refuse RELEASE_INCOMPLETE "$1"
  zstd -dcq -- "$1" 2>"$2/zstd" | head -c "$((MOST_BYTES + 1))" >"$2/tar" || status=$?
  (($(stat -c %s "$2/tar") <= MOST_BYTES)) || refuse RELEASE_DAMAGED "more than $MOST_BYTES bytes"
  ((status == 0)) || refuse "$(zstd_failure "$2/zstd")" "$1"
}

zstd_failure() {
  if grep -Eiq 'premature|unexpected end|truncated' "$1"; then echo RELEASE_INCOMPLETE; else echo RELEASE_DAMAGED; fi
}

# Regular files only, each once, none that leads out of the tree.
check_names() {
  tar -tf "$1/tar" >"$1/names" 2>/dev/null || refuse RELEASE_DAMAGED 'tar'
  [[ "$(tar -tvf "$1/tar" | cut -c 1 | sort -u)" == - ]] || refuse RELEASE_UNSAFE "$(tar -tvf "$1/tar" | grep -v '^-' | head -n 1)"
  ! grep -Eq '^/|(^|/)\.\.(/|$)' "$1/names" || refuse RELEASE_UNSAFE "$(grep -E '^/|(^|/)\.\.(/|$)' "$1/names" | head -n 1)"
  [[ -z "$(sort "$1/names" | uniq -d)" ]] || refuse RELEASE_UNSAFE "$(sort "$1/names" | uniq -d | head -n 1)"
}

check_signature() {
  tar -xOf "$1/tar" manifest.sig >"$1/manifest.sig" 2>/dev/null || refuse RELEASE_UNSIGNED 'no manifest.sig'
  ssh-keygen -Y verify -f "$2" -I "$SIGNER" -n "$NAMESPACE" -s "$1/manifest.sig" <"$1/manifest.json" >"$1/ssh-keygen" 2>&1 \
    || refuse RELEASE_UNSIGNED "$(tail -n 1 "$1/ssh-keygen")"
}

check_manifest() {
  local arch
  [[ "$(text_of name "$1")" == aivoice ]] || refuse RELEASE_DAMAGED 'manifest.json'
  arch="$(text_of arch "$1")"
  [[ "$arch" == "$(arch_of_system)" ]] || refuse RELEASE_WRONG_ARCH "$arch"
  check_c_library "$(text_of glibc "$1")"
  release_version="$(text_of version "$1")"
  release_commit="$(text_of commit "$1")"
  # As the installer has it: what is put here must be what an appliance would take.
  if [[ ! "$release_version" =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || ((${#release_version} > MOST_VERSION)); then
    refuse RELEASE_DAMAGED 'manifest.json: version'
  fi
}

# Writes hashes and programs by the manifest, and holds the archive to be just the files that it names.
check_list() {
  grep -o '{[^{}]*"path":[^{}]*}' "$1/manifest.json" >"$1/entries" || refuse RELEASE_DAMAGED 'manifest.json'
  sed -n 's/.*"path":"\([^"\\]*\)".*/\1/p' "$1/entries" >"$1/paths"
  sed -n 's/.*"sha256":"\([0-9a-f]\{64\}\)".*/\1 /p' "$1/entries" | paste -d ' ' - "$1/paths" >"$1/hashes"
  sed -n 's/.*"mode":\([0-9]*\).*/\1/p' "$1/entries" | paste -d ' ' - "$1/paths" | sed -n 's/^493 //p' >"$1/programs"
  diff <(sort "$1/paths") <(grep -vxE 'manifest\.(json|sig)' "$1/names" | sort) >"$1/differs" \
    || refuse RELEASE_DAMAGED "$(sed -n 's/^[<>] //p' "$1/differs" | head -n 1)"
}

# A text of the manifest's top level, or of minimumOs; the files it lists have none of these keys.
text_of() {
  sed -n 's/.*"'"$1"'":"\([0-9A-Za-z.+-]*\)".*/\1/p' "$2"
}
