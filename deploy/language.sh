#!/usr/bin/env bash
# In which language a script of this folder speaks.

# As everywhere in the product: AIVOICE_LANGUAGE, else the locale; both where neither names one of the two.
language_of_reader() {
  local word
  for word in "${AIVOICE_LANGUAGE:-}" "${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}"; do
    case "${word,,}" in
      ja*) echo ja && return ;;
      en*) echo en && return ;;
    esac
  done
  echo both
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
