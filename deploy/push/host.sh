#!/usr/bin/env bash
# What happens to one host: connect, send what it lacks, install, wait for the verdict. Runs in a subshell of its own,
# which ends with `succeed` or `fail`; those write the one line of the host. `work`, `ssh_options` and `apply_flags` are
# deploy.sh's.
# shellcheck disable=SC2154,SC2034

# Times that a connection may break without having got on; the pause doubles from a second, with jitter.
readonly RETRIES=5
# What is sent between two looks at how far it is.
readonly PIECE_BYTES=1048576
# Seconds: one attempt at sending, after which a slow line goes on where it stopped; and a verdict. Where all goes as
# slowly as it may, that takes: unpacking on a slow card 4 minutes, trial 3, restart and gate 9, going back 6, and from there
# to the release of the factory 6.
readonly SEND_S=900 VERDICT_S=1800
# Seconds between two looks at what a broken connection left running on the host, and how often: as long as a verdict.
readonly BUSY_S=5 BUSY_LOOKS=360

# deploy_to_host HOST HERE: HERE is a path of its own to put files beside.
deploy_to_host() {
  host="$1" here="$2" connection='' machine='' was_connected=no breaks=0 held=0 held_before=0 code='' looks=0
  SECONDS=0
  end_with_the_script &
  watcher=$!
  trap leave EXIT
  trap 'exit 143' TERM INT HUP
  while true; do
    code=''
    attempt
    disconnect
    if [[ "$code" == UPDATE_BUSY ]]; then wait_for_the_other; else wait_for_the_line; fi
  done
}

# Returns where the connection broke; every other end ends the subshell. So does each of its steps, with a failure.
attempt() {
  reach_host || return 0
  ask_held || return 0
  if ((held < size)); then
    ! is_in_place || succeed
    send_rest || return 0
  fi
  install_release
}

reach_host() {
  tell "$(phrase '接続しています' 'connecting')"
  if ! connect "$host"; then
    [[ "$was_connected" == yes ]] || fail "$(connect_failure)" "$(last_line "$here.ssh")"
    return 1
  fi
  was_connected=yes
  read_release
}

# Sets version, sha, size, commit, stamp and file of the release that fits the host, and how people are told of it.
read_release() {
  local notes arch
  notes="$work/release.$(arch_of_machine "$machine")"
  [[ -f "$notes" ]] || fail RELEASE_WRONG_ARCH "$machine"
  {
    read -r version && read -r arch && read -r sha && read -r size && read -r commit && read -r stamp
    IFS= read -r -d '' file
  } <"$notes"
  label="${version:-${file##*/}}"
  label="${label//[[:cntrl:]]/?}"
}

# Sets `held`: the bytes of the release that the host has.
ask_held() {
  local said status=0
  said="$(remote "$host" "$ANSWER_S" "sudo -n aivoice-install have $sha" </dev/null 2>"$here.stderr")" || status=$?
  if ((status != 0)); then
    judge "$status"
    return 1
  fi
  [[ "$said" =~ ^[[:space:]]*([0-9]{1,15})[[:space:]]*$ ]] || fail HOST_NOT_APPLIANCE "aivoice-install have"
  held=$((10#${BASH_REMATCH[1]}))
}

# An upload is gone once it is installed. Releases of one commit are the same bytes, so nothing need be sent again; of a
# checkout that differed from its commit nobody knows that.
is_in_place() {
  [[ "$commit" =~ ^[0-9a-f]{40}$ ]] || return 1
  remote "$host" "$ANSWER_S" 'sudo -n aivoice-install releases --json' </dev/null 2>/dev/null | grep -o '{[^{}]*}' \
    | grep -F "\"version\":\"$version\"" | grep -F "\"commit\":\"$commit\"" \
    | grep -F '"current":true' | grep -F '"good":true' >/dev/null || return 1
  tell "$(phrase "$label: すでに入っています" "$label: is in place already")"
}

send_rest() {
  local status=0
  as_described
  ((held == 0)) || tell "$(phrase "$held バイト目から続けて送ります" "going on at byte $held")"
  read_from "$held" | remote "$host" "$SEND_S" "sudo -n aivoice-install receive $sha $size --from $held" \
    >/dev/null 2>"$here.stderr" || status=$?
  ((status == 0)) || as_described
  # 124: it took too long, which says nothing against what has come.
  ((status == 0 || status == 124)) || judge "$status"
  return "$status"
}

# What is sent must be what was looked at; otherwise the host would find fault with the line.
as_described() { [[ "$(stamp_of "$file")" == "$stamp" ]] || fail RELEASE_CHANGED "${file//[[:cntrl:]]/?}"; }

# The release from a byte on, telling how far it is at every tenth.
read_from() {
  local at="$1" tenth=$(($1 * 10 / size)) now
  tail -c "+$((at + 1))" -- "$file" 2>/dev/null | while ((at < size)); do
    head -c "$PIECE_BYTES"
    at=$((at + PIECE_BYTES < size ? at + PIECE_BYTES : size))
    now=$((at * 10 / size))
    ((now == tenth)) || tell "$(phrase "送信 $((now * 10)) %" "sent $((now * 10)) %")"
    tenth=$now
  done
}

# What an attempt that was cut off has left running is waited for. It may have been undone: that verdict is wanted,
# not another attempt, so `--again` counts once.
install_release() {
  local flags="$apply_flags" status=0
  ((breaks == 0)) || flags="${flags/--again/}"
  tell "$(phrase "$label を入れています" "installing $label")"
  remote "$host" "$VERDICT_S" "sudo -n aivoice-install apply $sha $flags" </dev/null 2>"$here.stderr" \
    | { pass_on || true; } || status=$?
  ((status != 0)) || succeed
  judge "$status"
}

# Ends the subshell with what the exit code and the words of a command mean; returns where trying again is right.
# Sets `code`: what the installer called it.
judge() {
  local status="$1" line
  line="$(grep -Eo '^[A-Z][A-Z_]+: .*' "$here.stderr" | tail -n 1 | tr -d '[:cntrl:]' | cut -c 1-600 || true)"
  code="${line%%:*}"
  # 137 and 141: the connection's own ssh was killed, or lost its reader.
  case "$status" in
    255 | 137 | 141) return 0 ;;
    124) fail UPDATE_NO_VERDICT "$(last_line "$here.stderr")" ;;
  esac
  if [[ "$code" == UPDATE_BUSY ]] && ((breaks > 0)); then return 0; fi
  [[ -z "$code" ]] || finish failed "$code ${line#*: }"
  if grep -Eiq 'sudo|not found' "$here.stderr"; then fail HOST_NOT_APPLIANCE "$(last_line "$here.stderr")"; fi
  fail UPDATE_FAILED "$(last_line "$here.stderr"), exit code $status"
}

# An upload or an update of ours that lost its connection ends by itself there; its end is worth waiting for.
wait_for_the_other() {
  looks=$((looks + 1))
  ((looks <= BUSY_LOOKS)) || fail UPDATE_NO_VERDICT "$code"
  tell "$(phrase '切れた接続の後始末を機器が終えるのを待っています' 'waiting for the host to end what the broken connection left')"
  sleep "$BUSY_S"
}

# Sending that got on counts as a fresh start.
wait_for_the_line() {
  local pause
  ((held < held_before + PIECE_BYTES)) || breaks=0
  held_before=$held
  breaks=$((breaks + 1))
  ((breaks <= RETRIES)) || fail TRANSFER_BROKEN "$(last_line "$here.ssh")"
  tell "$(phrase '接続が切れました。つなぎ直します' 'the connection broke; connecting again')"
  pause=$((500 * 2 ** breaks + RANDOM % 500))
  sleep "$((pause / 1000)).$(printf '%03d' $((pause % 1000)))"
}

# The script may be killed without a chance to say so. Then the life pipe (descriptor 9, see deploy.sh) ends, and with it
# all that works for this host: nobody waits for it any more.
end_with_the_script() {
  read -r -u 9 || true
  trap '' TERM
  rm -rf "$work"
  kill -TERM 0
  sleep 1
  kill -KILL 0
}

leave() {
  disconnect
  kill "$watcher" 2>/dev/null || true
}

succeed() { finish ok "$label ($SECONDS s)"; }

# fail CODE DETAIL
fail() { finish failed "$1 $(sentence "$1")${2:+ ($2)}"; }

# finish STATE REST: the one line of this host.
finish() {
  printf '%s %s %s\n' "$host" "$1" "$2" >"$here.result.new"
  mv "$here.result.new" "$here.result"
  [[ "$1" == ok ]] && exit 0
  exit 1
}

# In a subshell: where nobody can take progress, because the disk is full or the reader gone, the deploy goes on without.
tell() { (printf '%s: %s\n' "$host" "$1" >&2 2>/dev/null) || true; }

# What the installer says, line by line, with the host before it and nothing in it that could steer a terminal.
pass_on() {
  local line
  while IFS= read -r line || [[ -n "$line" ]]; do tell "${line//[[:cntrl:]]/}"; done
}
