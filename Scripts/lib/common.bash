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

# A private folder for logs and unfinished files; it goes away with the script, and so does what
# the script runs beside itself.
scratch=$(mktemp -d)
beside=()
stop_all() {
  local process
  for process in "${beside[@]}"; do kill -- "-$process" 2>/dev/null || true; done
  rm -rf -- "$scratch"
}
trap stop_all EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Runs a command that has no input and nothing to say unless it fails; then shows what it said.
quietly() {
  local status=0 log=$scratch/log.$BASHPID
  "$@" </dev/null >"$log" 2>&1 || status=$?
  if ((status)); then
    cat -- "$log" >&2
  fi
  return "$status"
}

# swift_tool ARGUMENT…: runs swift with temporary files in the scratch folder, because SwiftPM leaves
# empty folders and locks there.
swift_tool() { TMPDIR=$scratch swift "$@"; }

# together FUNCTION…: runs functions at the same time, because no build keeps every processor busy
# from its first to its last second, and waits for them all. Fails when one of them failed.
together() {
  local function process status=0
  # Several writers cannot share one line of a terminal.
  local -x DEVACCESS_PROGRESS=lines
  # Each is a process group of its own, which can be ended as a whole.
  set -m
  for function; do
    "$function" </dev/null &
    beside+=($!)
  done
  set +m
  for process in "${beside[@]}"; do wait "$process" || status=1; done
  beside=()
  return "$status"
}
