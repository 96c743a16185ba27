import Testing

/// Runs the program in a terminal of 80 × 24, which tmux shows.
@Suite struct `The program sign-up` {
  /// Functions for a script: each waits for what it names, and fails after two minutes.
  private static let functions = #"""
    term() { command tmux -S "$there/socket" -f /dev/null "$@"; }
    trap 'term kill-server 2>/dev/null' EXIT
    until_true() {
      local turn
      for ((turn = 0; turn < 1200; turn++)); do
        if "$@"; then return; fi
        sleep 0.1
      done
      echo "never: $*"; term capture-pane -p; exit 1
    }
    seen() { term capture-pane -p | grep -qF -- "$1"; }
    shows() { until_true seen "$1"; }
    cursor() { [[ $(term display -p '#{cursor_x} #{cursor_y}') == "$*" ]]; }
    keys() { term send-keys "$@"; }
    mkdir "$there/accounts"
    export bin there
    term new-session -d -x 80 -y 24 'exec env HISTFILE=/dev/null PS1="ready> " bash --norc --noprofile'
    shows 'ready>'
    keys 'clear; "$bin/sign-up" "$there/accounts"; echo "status $?"' Enter
    """#

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `signs a person up in a terminal`() throws {
    let run = try Child.run(
      Self.functions + #"""

        : >"$there/accounts/ann"
        shows 'Sign up, step 1 of 3'
        keys 'Zoë Example' Tab 'zoe@example.org' Enter
        shows 'step 2 of 3'
        keys 'ann' Enter
        shows 'Somebody has this login.'
        keys Escape
        shows 'step 1 of 3'
        keys Enter
        shows 'step 2 of 3'
        keys BSpace BSpace BSpace 'zoe' Enter
        shows 'step 3 of 3'
        term capture-pane -p | head -n 10
        keys Enter
        shows 'status 0'
        shows 'Signed up zoe.'
        cat "$there/accounts/zoe"
        """#, in: folder)
    #expect(run.status == 0)
    #expect(
      run.output == """
        Sign up, step 3 of 3

          Name      Zoë Example
          Address   zoe@example.org
          Login     zoe



        Enter: sign up  Escape: back

        Zoë Example
        zoe@example.org

        """)
  }

  @Test func `shows the beginning of what is too wide, and the cursor behind what fits`() throws {
    let run = try Child.run(
      Self.functions + #"""

        shows 'Sign up, step 1 of 3'
        keys '漢字'
        shows '> Name      漢字'
        until_true cursor 16 2
        keys '漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字'
        shows '字漢字漢字漢字'
        until_true cursor 79 2
        term capture-pane -p | sed -n 4,5p
        """#, in: folder)
    #expect(run.output == "\n  Address\n")
  }

  @Test func `leaves at Escape, and gives the terminal back`() throws {
    let run = try Child.run(
      Self.functions + #"""

        shows 'Sign up, step 1 of 3'
        keys Escape
        shows 'status 1'
        term display -p 'cursor #{cursor_flag} alternate #{alternate_on}'
        ls "$there/accounts"
        """#, in: folder)
    #expect(run.output == "cursor 1 alternate 0\n")
  }

  @Test func `says what it needs`() throws {
    let none = try Child.run(#""$bin/sign-up" "$there""#)
    #expect(none.status == 1)
    #expect(none.output == "sign-up: needs a terminal\n")
    #expect(try Child.run(#""$bin/sign-up""#).status == 64)
    #expect(try Child.run(#""$bin/sign-up" /nowhere"#).status == 1)
  }
}
