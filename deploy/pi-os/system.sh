#!/usr/bin/env bash
# The system that the appliance is put on: whether it fits, and what it lacks. `root` is the script's.
# shellcheck disable=SC2154,SC2034

# Node wants libatomic1 and libstdc++6, sound alsa-utils, signatures openssh-client, systemd's readiness socat.
readonly PACKAGES=(alsa-utils ca-certificates libatomic1 libstdc++6 openssh-client socat zstd)
readonly APT_S=900

check_system() {
  ! is_image || refuse IS_IMAGE
  local id codename
  id="$(os_field ID)"
  codename="$(os_field VERSION_CODENAME)"
  case "$id:$codename" in
    debian:bookworm | debian:trixie | raspbian:bookworm | raspbian:trixie) ;;
    *) refuse SYSTEM_UNSUPPORTED "$id $codename" ;;
  esac
  # A 32-bit Raspberry Pi OS runs a 64-bit kernel: only dpkg tells.
  [[ -n "$(arch_of_system)" ]] || refuse SYSTEM_UNSUPPORTED "$(dpkg --print-architecture)"
  local name
  for name in systemd-sysusers systemd-tmpfiles; do
    command -v "$name" >/dev/null || refuse SYSTEM_UNSUPPORTED "$name"
  done
  [[ -n "$root" || -d /run/systemd/system ]] || refuse SYSTEM_UNSUPPORTED 'systemd does not run here'
}

# arm64 or x64, as releases call them; empty for anything else.
arch_of_system() {
  case "$(dpkg --print-architecture)" in
    arm64) echo arm64 ;;
    amd64) echo x64 ;;
  esac
}

# check_c_library VERSION: the least that the release runs with.
check_c_library() {
  local here
  here="$(getconf GNU_LIBC_VERSION)"
  here="${here##* }"
  [[ "$(printf '%s\n%s\n' "$1" "$here" | sort -V | head -n 1)" == "$1" ]] \
    || refuse SYSTEM_UNSUPPORTED "glibc $here < $1"
}

# install_packages NAME…: says what it will do before it does; asks unless --yes said so.
install_packages() {
  local missing=() name answer=''
  for name in "$@"; do is_installed "$name" || missing+=("$name"); done
  ((${#missing[@]} > 0)) || return 0
  say "$(phrase 'これらのパッケージを入れます' 'These packages will be installed'): ${missing[*]}"
  if [[ "$yes" != yes ]]; then
    [[ -t 0 ]] || refuse PACKAGES_MISSING "${missing[*]}"
    read -r -p '[y/N] ' answer
    [[ "$answer" == [yY]* ]] || refuse PACKAGES_MISSING "${missing[*]}"
  fi
  export DEBIAN_FRONTEND=noninteractive
  timeout "$APT_S" apt-get update -qq || fail PACKAGES_FAILED 'apt-get update'
  timeout "$APT_S" apt-get install -y -qq --no-install-recommends "${missing[@]}" || fail PACKAGES_FAILED "${missing[*]}"
}

is_installed() {
  [[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

os_field() {
  sed -n "s/^$1=\"\\{0,1\\}\\([^\"]*\\)\"\\{0,1\\}\$/\\1/p" "$root/etc/os-release" 2>/dev/null || true
}

# image.json is there on an image too; only what this script has written says that it is none.
is_image() {
  [[ -f "$root/opt/aivoice/image.json" ]] && ! grep -q '"image" *: *false' "$root/opt/aivoice/image.json"
}
