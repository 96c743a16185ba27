import Testing

@testable import DeviceAccessCommands

/// A tmux terminal with a shell, in which a script starts the command.
enum TerminalSession {
  static let isPossible = (try? Product.run("command -v tmux"))?.status == 0

  /// Functions for scripts, each of which waits for a condition and fails after two minutes.
  private static let functions = #"""
    there=$(mktemp -d)
    term() { command tmux -S "$there/socket" -f /dev/null "$@"; }
    trap 'term kill-server 2>/dev/null; rm -rf "$there"' EXIT
    until_true() {
      local turn
      for ((turn = 0; turn < 1200; turn++)); do "$@" && return; sleep 0.1; done
      echo "never: $*"; term capture-pane -p; exit 1
    }
    seen() { term capture-pane -p | grep -qF -- "$1"; }
    shows() { until_true seen "$1"; }
    same() { term capture-pane -p | cmp -s - "$1"; }
    shows_screen() {
      if ! (until_true same "$1") >/dev/null; then
        term capture-pane -p | diff "$1" -; exit 1
      fi
    }
    keys() { term send-keys "$@"; }
    start() {
      export devaccess there
      # A shell that runs one command removes the prompt from its environment.
      term new-session -d -x "$1" -y "$2" 'exec env PS1="ready> " bash --norc --noprofile'
      shows 'ready>'
    }
    # The number of the process in "$there/pid", what the terminal was before and after.
    run_top() {
      rm -f "$there"/{pid,after}
      cat >"$there/run" <<END
    stty -g >"$there/before"
    sh -c 'echo \$\$ >"$there/pid"; exec "$devaccess" top $*'
    echo "status \$?" >"$there/status"
    stty -g >"$there/now"; mv "$there/now" "$there/after"
    END
      keys 'clear; . "$there/run"' Enter
    }
    ended() { until_true test -e "$there/after"; }
    flags() { term display -p 'cursor #{cursor_flag} alternate #{alternate_on}'; }
    is_flagged() { [[ $(flags) == "$*" ]]; }
    # The terminal takes what was written when it comes to it; after SIGKILL the guard writes it.
    flagged() { until_true is_flagged "$@" || flags; }
    # The programs that have the terminal open, which in the end is the shell alone.
    holders() {
      find /proc/[0-9]*/fd -lname "$(term display -p '#{pane_tty}')" 2>/dev/null |
        cut -d/ -f3 | sort -u | sed 's,.*,/proc/&/comm,' | xargs -r cat
    }
    only_shell() { [[ $(holders) == bash ]]; }
    alone() { until_true only_shell; }
    restored() {
      ended
      cmp "$there/before" "$there/after" && cat "$there/status"
      flagged cursor 1 alternate 0
    }
    """#

  /// Runs a script with these functions; `$there` is a temporary directory.
  static func run(_ script: String) throws -> Product.Result {
    // Indentation would become part of the here-document.
    try Product.run(functions + "\n" + script)
  }
}
