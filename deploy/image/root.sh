#!/bin/bash
# Debian's root from packages: $CACHE/root-<hash>.tar.zst. The long part of a cold build (packages configure
# themselves under emulation), so it is made once for each list of packages and kept outside the repository.
set -euo pipefail
# shellcheck source=settings.sh
. "$(dirname "$0")/settings.sh"
# shellcheck source=apt.sh
. "$HERE/apt.sh"

out=$1
find_mirrors
debs=$CACHE/debs
mkdir -p "$debs"
include=$(listed "$HERE/packages/system.list" | paste -sd,)
mapfile -t sources < <(source_lines "${SUITES[@]}")

# Packages that were fetched before go in, and all come out again. mmdebstrap hands the root to a hook's shell as $1.
mmdebstrap --quiet --mode=root --variant=minbase --architectures=arm64 --format=tar \
  --include="$include" \
  --aptopt='APT::Install-Recommends "false"' \
  --aptopt='Acquire::Languages "none"' \
  --aptopt='Acquire::Retries "3"' \
  --dpkgopt=force-confold --dpkgopt=force-unsafe-io \
  --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/info/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/doc/*' \
  --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  --skip=download/empty --skip=essential/unlink --skip=cleanup/apt/cache --skip=cleanup/apt/lists \
  --setup-hook="'$HERE/root-hook.sh' before '$debs' \"\$1\"" \
  --customize-hook="'$HERE/root-hook.sh' after '$debs' \"\$1\"" \
  "$SUITE" "$out.part.tar" "${sources[@]}"
zstd -q -T0 -5 --rm -f -o "$out.part" "$out.part.tar"
mv "$out.part" "$out"
