# shellcheck shell=bash
# Where Debian's packages come from: the mirror this machine uses itself, so that no host's name is in the tree.
# Sourced. AIVOICE_DEBIAN_MIRROR and AIVOICE_DEBIAN_SECURITY_MIRROR (URLs) overrule what apt is set to.

KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

own_mirror() { # own_mirror SUFFIX: the address of the archive whose release is this Debian's name with SUFFIX
  local codename
  codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
  # shellcheck disable=SC2016 # apt fills these in
  apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 2>/dev/null |
    awk -v wanted="$codename$1" '$2 == wanted { print $1; exit }'
}

find_mirrors() {
  MIRROR=${AIVOICE_DEBIAN_MIRROR:-$(own_mirror "")}
  SECURITY_MIRROR=${AIVOICE_DEBIAN_SECURITY_MIRROR:-$(own_mirror -security)}
  if [[ -z $MIRROR || -z $SECURITY_MIRROR ]]; then
    die "no Debian mirror in this machine's apt settings: set AIVOICE_DEBIAN_MIRROR and AIVOICE_DEBIAN_SECURITY_MIRROR"
  fi
  if [[ ! -r $KEYRING ]]; then
    die "$KEYRING is missing: apt-get install debian-archive-keyring"
  fi
}

source_lines() { # source_lines [SUITE…]: lines of sources.list for the root, one a suite
  local suite
  for suite in "$@"; do
    case $suite in
      *-security) printf 'deb [signed-by=%s] %s %s main non-free-firmware\n' "$KEYRING" "$SECURITY_MIRROR" "$suite" ;;
      *) printf 'deb [signed-by=%s] %s %s main non-free-firmware\n' "$KEYRING" "$MIRROR" "$suite" ;;
    esac
  done
}

# An apt of its own for the architecture of the appliance: nothing of this machine's lists or packages is touched.
private_apt() { # private_apt FOLDER SUITE…: makes FOLDER/apt.conf and reads the lists
  local folder=$1
  shift
  mkdir -p "$folder"/{parts,preferences,state/lists/partial,cache/archives/partial}
  : >"$folder/status"
  source_lines "$@" >"$folder/sources.list"
  cat >"$folder/apt.conf" <<CONF
Dir "$folder";
Dir::Etc "$folder";
Dir::Etc::parts "parts";
Dir::Etc::sourcelist "sources.list";
Dir::Etc::sourceparts "none";
Dir::Etc::preferencesparts "preferences";
Dir::State "state";
Dir::State::status "$folder/status";
Dir::Cache "cache";
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "3";
CONF
  APT_CONFIG=$folder/apt.conf apt-get -qq update
}
