# shellcheck shell=bash
# Which release becomes the factory's. Sourced by build.sh, whose are `release`, `stage` and `work`.
# shellcheck disable=SC2154

# What is named is taken; otherwise the newest one of this very commit, made first where there is none.
find_release() {
  local head
  if [[ -n $release ]]; then
    [[ -r $release ]] || die "$release cannot be read"
    say "$release is of commit $(shown_commit "$(commit_of "$release")")"
    return
  fi
  head=$(git -C "$TREE" rev-parse HEAD)
  release=$(newest_release)
  if [[ -n $release && $(commit_of "$release") != "$head" ]]; then
    say "$release is of commit $(shown_commit "$(commit_of "$release")"), not of ${head:0:12}: it is made anew"
    release=''
  fi
  if [[ -z $release ]]; then
    stage release make_release
    release=$(newest_release)
    [[ -r $release ]] || die "no release came of npm run release"
  fi
}

# As who called sudo: what npm and the bundle leave behind would be root's, and stop their next run without it.
make_release() {
  local as_caller=()
  if called_from_home; then
    hand_over
    as_caller=(setpriv "--reuid=$SUDO_UID" "--regid=$SUDO_GID" --init-groups)
  fi
  "${as_caller[@]}" npm --prefix "$TREE" run --silent release -- --arch arm64 \
    || die "$(phrase 'このチェックアウトからリリースを作れません。--release FILE で、あるものを使えます' \
      'no release can be made of this checkout; --release FILE takes one that is there')"
}

newest_release() {
  find "$BUILD" -maxdepth 1 -name 'aivoice-*-arm64.tar.zst' -printf '%T@ %p\n' | sort -rn | head -1 | cut -d' ' -f2-
}

# commit_of FILE: as its manifest, the first file in it, has it; empty where that cannot be read.
commit_of() {
  { tar --zstd --occurrence=1 -xOf "$1" manifest.json 2>/dev/null || true; } \
    | node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).commit ?? ""' 2>/dev/null || true
}

# Short, but never without the word that files differed from the commit.
shown_commit() {
  local dirty=''
  [[ $1 != *-dirty ]] || dirty=-dirty
  if [[ -n $1 ]]; then printf '%s%s' "${1:0:12}" "$dirty"; else printf '(unknown)'; fi
}

# factory_origin MANIFEST: it has to be seen where the image was made around a release of another commit.
factory_origin() {
  local version commit
  read -r version commit < <(node -p \
    'const { version, commit } = JSON.parse(require("node:fs").readFileSync(process.argv[1])); version + " " + commit' "$1")
  printf '%s %s' "$version" "$(shown_commit "$commit")"
}
