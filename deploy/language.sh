#!/usr/bin/env bash
# In which language a script of this folder speaks.

# The language of the person in front of it, as everywhere in the product: ja, en, or both where the locale names neither.
language_of_reader() {
  local locale="${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}"
  case "${locale,,}" in
    ja*) echo ja ;;
    en*) echo en ;;
    *) echo both ;;
  esac
}

# phrase JAPANESE ENGLISH: the one that the reader understands, else both in one line.
phrase() {
  case "$(language_of_reader)" in
    ja) printf '%s' "$1" ;;
    en) printf '%s' "$2" ;;
    *) printf '%s / %s' "$1" "$2" ;;
  esac
}

# at_length SHOW-JAPANESE SHOW-ENGLISH: the same for texts of many lines, each shown by a function.
at_length() {
  case "$(language_of_reader)" in
    ja) "$1" ;;
    en) "$2" ;;
    *)
      "$1"
      echo
      "$2"
      ;;
  esac
}
