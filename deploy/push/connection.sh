#!/usr/bin/env bash
# One SSH connection to one host, shared by every command sent to it. `here` is the host's path for files (host.sh),
# `ssh_options` what the command line said (deploy.sh).
# shellcheck disable=SC2154,SC2034

# Seconds. A host that is silent for ALIVE_S x ALIVE_COUNT is gone.
readonly CONNECT_S=10 LOGIN_S=30 ALIVE_S=5 ALIVE_COUNT=3 ANSWER_S=60

# connect HOST: opens the connection and sets `machine` to what the host's `uname -m` says.
# The first command of the connection holds it open: its input is a pipe of its own without an end. Of its own, since ssh
# sets its input to non-blocking, for everybody who shares it.
connect() {
  local word='' line=''
  rm -f "$here.socket" "$here.greeting" "$here.input"
  mkfifo "$here.greeting" "$here.input"
  ssh "${ssh_options[@]}" -o ControlMaster=yes -o ControlPersist=no -o ControlPath="$here.socket" \
    -o ConnectTimeout=$CONNECT_S -o ServerAliveInterval=$ALIVE_S -o ServerAliveCountMax=$ALIVE_COUNT \
    -- "$1" 'printf "aivoice "; uname -m; exec cat' <>"$here.input" >"$here.greeting" 2>"$here.ssh" &
  connection=$!
  machine=''
  exec {greeting}<"$here.greeting"
  # A shell may print something of its own first.
  while read -r -t $LOGIN_S -u "$greeting" word line; do
    [[ "$word" != aivoice ]] || { machine="${line//[!0-9A-Za-z_]/}" && break; }
  done
  exec {greeting}<&-
  rm -f "$here.greeting" "$here.input"
  [[ -n "$machine" ]]
}

# remote HOST SECONDS COMMAND: runs a command over the connection; 255 when that broke, 124 when it took too long.
# Where the connection is gone ssh would dial by itself, unshared and unseen; the proxy command forbids it. In the
# foreground, `timeout` stays in the process group that ends with the host.
remote() {
  timeout --foreground -k 5 "$2" ssh "${ssh_options[@]}" -o ControlMaster=no -o ControlPath="$here.socket" \
    -o ProxyCommand=false -- "$1" "$3"
}

disconnect() {
  [[ -n "${connection:-}" ]] || return 0
  kill "$connection" 2>/dev/null || true
  wait "$connection" 2>/dev/null || true
  connection=''
}

# Why no connection came about, by what ssh says; LC_ALL does not change its words.
connect_failure() {
  if grep -q 'IDENTIFICATION HAS CHANGED' "$here.ssh"; then
    echo HOST_KEY_CHANGED
  elif grep -q 'Host key verification failed' "$here.ssh"; then
    echo HOST_KEY_UNKNOWN
  elif grep -Eq 'Permission denied|Too many authentication failures|not currently available' "$here.ssh"; then
    echo HOST_USER_REFUSED
  elif grep -Eq '^(command-line|unix_listener|muxserver_listen|ControlPath)|[Bb]ad configuration option|ssh: command not found' "$here.ssh"; then
    echo SSH_NOT_STARTED
  else
    echo HOST_UNREACHABLE
  fi
}

# The last line that a program wrote into FILE, with nothing in it that could steer a terminal.
last_line() {
  tr -d '\r' <"$1" | grep -v '^[[:space:]]*$' | tail -n 1 | tr -d '[:cntrl:]' | cut -c 1-300 || true
}
