# The package root, output functions and cleanup. Sourced by every script.
set -euo pipefail
unset CDPATH

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
self=${0##*/}

# The exit status for a failure of the script itself; Scripts/run overrides it.
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

# Prints the comment at the top of the script, which is the help.
help() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; }

# Handles the arguments of a script that accepts only --help.
no_arguments() {
  case ${1-} in
    '') ;;
    -h | --help) help && exit 0 ;;
    *) usage_error "unknown argument '$1'" ;;
  esac
}

# A private folder for logs and unfinished files. It is removed when the script ends, and background
# processes of the script are stopped.
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

# Runs a command without input, and shows its output only if the command fails.
quietly() {
  local status=0 log=$scratch/log.$BASHPID
  "$@" </dev/null >"$log" 2>&1 || status=$?
  if ((status)); then
    cat -- "$log" >&2
  fi
  return "$status"
}

# swift_tool ARGUMENT…: runs swift with temporary files in the scratch folder, because SwiftPM
# leaves empty folders and locks behind.
swift_tool() { TMPDIR=$scratch swift "$@"; }

# together FUNCTION…: runs functions in parallel, because a single build does not keep all
# processors busy. Waits for all functions, and fails if one of them failed.
together() {
  local function process status=0
  # Several writers cannot share one line of a terminal.
  local -x DEVACCESS_PROGRESS=lines
  # Each function runs in its own process group, which can be killed as a whole.
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
