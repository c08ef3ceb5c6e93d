# shellcheck shell=bash disable=SC2034
# What the image is made of and how large its parts are. Sourced by every stage.

SUITE=trixie
SUITES=(trixie trixie-updates trixie-security)
# Only the kernel of the Raspberry Pi 5 comes from here: trixie's own has no driver for its south bridge.
BACKPORTS=trixie-backports

# The disk (MiB). FAT must come first: the boot ROM of a Pi 3 and of a Zero 2 W reads nothing else. The label id is
# fixed, so PARTUUID=61697665-02 names the root on a card, a USB stick and an emulated disk alike.
LABEL_ID=0x61697665
ALIGN_MB=4
BOOT_MB=256
SLOT_MB=1280
DATA_MB=64

# Debian mends holes all the time: packages of a root that was kept this long are to be asked for anew.
OLD_DAYS=14

# Not everybody who starts programs tells them.
: "${HOME:=$(getent passwd "$(id -u)" | cut -d: -f6)}"

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TREE=$(cd "$HERE/../.." && pwd)
BUILD=${AIVOICE_BUILD:-$TREE/build}
CACHE=${AIVOICE_CACHE:-$HOME/.cache/aivoice-image}

# Raised when a release needs something of units, users or system that an older image lacks.
OS_LEVEL=$(<"$TREE/deploy/systemd/level")

die() {
  printf 'image: %s\n' "$*" >&2
  exit 1
}

say() {
  printf 'image: %s\n' "$*" >&2
}

listed() { # listed FILE: the names in it, one a line
  sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$1"
}

# A name of a cached stage changes with everything that goes into it, and with nothing else.
digest_of() { # digest_of FILE…
  cat -- "$@" | sha256sum | cut -c1-16
}
