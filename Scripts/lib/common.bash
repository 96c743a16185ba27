# Where the package is, how the scripts speak, and how they stop. Sourced by every script.
set -euo pipefail
unset CDPATH

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
self=${0##*/}

# The exit status of a failure of the script itself; Scripts/run has its own.
failure=1

say() { printf '%s: %s\n' "$self" "$*" >&2; }

fail() {
  say "$*"
  exit "$failure"
}

usage_error() {
  say "$* (see $self --help)"
  exit 64
}

# Prints the comment at the top of the script, which is its help.
help() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; }

# For a script without arguments but --help.
no_arguments() {
  case ${1-} in
    '') ;;
    -h | --help) help && exit 0 ;;
    *) usage_error "unknown argument '$1'" ;;
  esac
}

# A private folder for logs and unfinished files; it goes away with the script.
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Runs a command that has no input and nothing to say unless it fails; then shows what it said.
quietly() {
  local status=0
  "$@" </dev/null >"$scratch/log" 2>&1 || status=$?
  if ((status)); then
    cat -- "$scratch/log" >&2
  fi
  return "$status"
}
