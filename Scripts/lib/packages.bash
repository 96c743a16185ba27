# Installs the Debian packages of Scripts/packages that are missing.

# packages_in SECTION…: prints the lines of the sections as "package<TAB>reason", each package once.
packages_in() {
  awk -v wanted=" $* " '
    /^\[/ { section = substr($1, 2, length($1) - 2); next }
    NF && $1 !~ /^#/ && index(wanted, " " section " ") && !seen[$1]++ {
      reason = $0
      sub(/^[^#]*#? */, "", reason)
      print $1 "\t" reason
    }' "$root/Scripts/packages"
}

# Prints those of them that no installed package provides.
missing_packages() {
  {
    dpkg-query --show --showformat '${db:Status-Status}\t${Package}, ${Provides}\n'
    echo
    packages_in "$@"
  } | awk -F '\t' '
    !NF { listed = 1; next }
    !listed && $1 == "installed" {
      count = split($2, names, /, */)
      for (i = 1; i <= count; i++) { sub(/ .*/, "", names[i]); installed[names[i]] }
    }
    listed && !($1 in installed)'
}

# Prints the words that make a command run as root, one per line; fails if there is no way.
as_root() {
  if ((EUID == 0)); then
    return 0
  fi
  command -v sudo >/dev/null || return 1
  # Without a terminal, sudo cannot ask for a password.
  if sudo -n true 2>/dev/null || { : </dev/tty; } 2>/dev/null; then
    echo sudo
  else
    return 1
  fi
}

apt_get() {
  # A user who has chosen a frontend expects its questions and its output.
  if [[ ${DEBIAN_FRONTEND:-noninteractive} == noninteractive ]]; then
    quietly "${privileged[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "$@"
  else
    "${privileged[@]}" env "DEBIAN_FRONTEND=$DEBIAN_FRONTEND" apt-get "$@" >&2
  fi
}

# install_packages SECTION…: installs missing packages; changes nothing if all are installed.
install_packages() {
  local names=() privileged=() missing package reason answer
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system: install the equivalents of Scripts/packages by hand"
    return 0
  fi
  missing=$(missing_packages "$@")
  [[ -n $missing ]] || return 0
  while IFS=$'\t' read -r package reason; do
    names+=("$package")
  done <<<"$missing"

  answer=$(as_root) ||
    fail "packages are missing; run as root: apt-get update && apt-get install --no-install-recommends ${names[*]}"
  [[ -z $answer ]] || privileged=("$answer")

  say "installing ${#names[@]} Debian packages that are missing${answer:+, with $answer}:"
  while IFS=$'\t' read -r package reason; do
    printf '  %-16s %s\n' "$package" "$reason" >&2
  done <<<"$missing"
  # A broken package source is not fatal, because the packages may come from another one.
  apt_get -o DPkg::Lock::Timeout=300 update || say "apt-get update failed; trying all the same"
  apt_get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${names[@]}" ||
    fail "apt-get could not install ${names[*]}"
}
