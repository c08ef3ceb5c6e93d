# shellcheck shell=bash
# Thins the modules of a kernel to a list and what it needs. Sourced.

# prune_modules ROOT VERSION LIST: deletes every module below ROOT/usr/lib/modules/VERSION/kernel that neither LIST
# names nor a named one depends on, and writes the indexes of depmod anew.
prune_modules() {
  local root=$1 version=$2 list=$3 modules=$1/usr/lib/modules/$2
  depmod -b "$root/usr" "$version"
  listed "$list" | awk '
    FNR == NR { wanted[$0] = 1; next }
    function named(path,    at) {
      if (path in wanted) return 1
      for (at = length(path); at > 0; at--)
        if (substr(path, at, 1) == "/" && substr(path, 1, at - 1) in wanted) return 1
      return 0
    }
    {
      split($0, halves, ": *")
      bare = halves[1]
      sub(/^kernel\//, "", bare)
      sub(/\.ko(\.[a-z]+)?$/, "", bare)
      all[halves[1]] = 1
      if (named(bare)) {
        keep[halves[1]] = 1
        count = split(halves[2], needs, " ")
        for (i = 1; i <= count; i++) keep[needs[i]] = 1
      }
    }
    END { for (path in all) if (!(path in keep)) print path }
  ' - "$modules/modules.dep" | (cd "$modules" && xargs -r rm -f --)
  find "$modules/kernel" -type d -empty -delete
  depmod -b "$root/usr" "$version"
}
