#!/bin/bash
# What is given out: publish.sh IMAGE ROOT-FOLDER PACKAGES.tsv: build/aivoice.img.zst, its sum, its map of used blocks
# and the list of contents.
set -euo pipefail
# shellcheck source=settings.sh
. "$(dirname "$0")/settings.sh"

image=$1 root=$2 packages=$3
: "${SOURCE_DATE_EPOCH:?}" "${VERSION:?}"
name=aivoice.img

# 12 of 19: the next steps save 2 % and take minutes. One thread more or less gives the same bytes.
pack() {
  zstd -q -f -12 -T0 -o "$BUILD/$name.zst.part" "$image"
  mv "$BUILD/$name.zst.part" "$BUILD/$name.zst"
  (cd "$BUILD" && sha256sum "$name.zst" >"$name.zst.sha256")
}

# Its comment names the day; the time of what is in it is a fixed one.
map_blocks() {
  bmaptool -q create -o "$BUILD/$name.bmap.part" "$image"
  mv "$BUILD/$name.bmap.part" "$BUILD/$name.bmap"
}

pack
map_blocks
node "$HERE/sbom/main.ts" "$VERSION" "$SOURCE_DATE_EPOCH" "$SUITE" "$root" "$packages" >"$BUILD/aivoice.sbom.json.part"
mv "$BUILD/aivoice.sbom.json.part" "$BUILD/aivoice.sbom.json"
