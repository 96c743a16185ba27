import AccessModel
import LinuxTestSupport
import TerminalScreen
import Testing

@testable import DeviceAccessCommands

// Run one test at a time, because each one blocks a thread until its shell ends.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(if: Product.path != nil, "devaccess is not beside the test bundle"),
  .enabled(if: TerminalSession.isPossible, "tmux is not installed"))
struct `The terminal that top is shown in` {
  /// Returns the screen of the built-in example after some keys.
  private func example(_ columns: Int, _ rows: Int, _ keys: Key...) throws -> TemporaryFile {
    let facts = try SnapshotFile.decode(
      PackageResources.example_snapshot_json, name: "the example"
    ).get()
    var design = TopDesign(
      style: Style(color: true, unicode: true), size: ScreenSize(columns: columns, rows: rows))
    design.takeRecording([facts])
    for key in keys {
      design.take(key)
      guard let question = design.detailQuestion, design.detail?.answer == nil else { continue }
      var own = facts
      own.kind = nil
      design.take(own, for: question)
    }
    return try TemporaryFile(TopScreen(design).screen.text)
  }

  @Test func `shows what the screen is, at every size, and after every key`() throws {
    let standard = try example(80, 24)
    // The device that was found stays selected.
    let found = try example(80, 24, .down)
    let large = try example(200, 60, .down)
    let small = try example(40, 10, .down)
    let detail = try example(40, 10, .enter, .pageDown)
    let search = try example(80, 24, .character("/"), .character("o"), .character("1"))
    let result = try TerminalSession.run(
      """
      start 80 24
      run_top --example
      shows_screen \(standard.path)
      keys /; keys o; keys 1
      shows_screen \(search.path)
      flagged cursor 1 alternate 1
      keys Escape
      shows_screen \(found.path)
      term resize-window -x 200 -y 60
      shows_screen \(large.path)
      term resize-window -x 40 -y 10
      shows_screen \(small.path)
      keys Up; keys Enter; shows refused; keys PgDn
      shows_screen \(detail.path)
      keys q q
      restored
      """)
    #expect(result.output == "status 0\n")
    #expect(result.errors == "")
  }

  @Test(arguments: ["INT", "TERM", "HUP", "SEGV", "ABRT", "QUIT", "ILL", "KILL"])
  func `is given back when a signal ends the program`(_ signal: String) throws {
    let result = try TerminalSession.run(
      """
      start 80 24
      run_top --example
      shows 'q quit'
      flagged cursor 0 alternate 1
      kill -\(signal) "$(<"$there/pid")"
      restored
      alone || holders
      """)
    let numbers = ["SEGV": 139, "ABRT": 134, "QUIT": 131, "ILL": 132, "KILL": 137]
    #expect(result.output == "status \(numbers[signal] ?? 0)\n")
    #expect(result.errors == "")
  }

  @Test func `is given back when the program itself is at fault`() throws {
    // Without memory for the next screen, the runtime ends the program. By default, the allocator
    // reserves memory for other threads that would suffice for many screens.
    let result = try TerminalSession.run(
      """
      export MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=0 MALLOC_TOP_PAD_=0
      start 80 24
      run_top --example
      shows 'q quit'
      prlimit --pid "$(<"$there/pid")" --as=1
      term resize-window -x 800 -y 500
      press() { keys Enter q; test -e "$there/after"; }
      until_true press
      restored
      shows 'devaccess: internal error: out of memory'
      """)
    #expect(result.output == "status 70\n")
    #expect(result.errors == "")
  }

  @Test func `is as large as it is, whatever the environment says`() throws {
    let screen = try example(80, 24)
    let result = try TerminalSession.run(
      """
      export COLUMNS=40 LINES=10
      start 80 24
      keys 'export COLUMNS=40 LINES=10' Enter
      run_top --example
      shows_screen \(screen.path)
      keys q
      restored
      """)
    #expect(result.output == "status 0\n")
    #expect(result.errors == "")
  }

  /// A link or another notation leads to the device whose users are shown.
  @Test(.requiresRoot, arguments: ["link", "./node", "../$(basename \"$there\")/node"])
  func `shows who uses what another path leads to`(path: String) throws {
    let result = try TerminalSession.run(
      """
      mknod "$there/node" c 1 9 && ln -s node "$there/link" || echo 'no node'
      sleep 60 <"$there/node" &
      start 80 24
      run_top '"$there/\(path)"'
      shows 'sleep ('
      keys q
      restored
      kill %1
      """)
    #expect(result.output == "status 0\n")
    #expect(result.errors == "")
  }

  @Test func `is not taken for a file without snapshots`() throws {
    let result = try TerminalSession.run(
      """
      start 160 24
      printf 'root:x\\nbin:x\\n' >"$there/none"
      run_top --from="$there/none"
      ended
      shows 'not a snapshot'
      flagged cursor 1 alternate 0
      cat "$there/status"
      """)
    #expect(result.output == "status 64\n")
    #expect(result.errors == "")
  }

  @Test func `is the shell's while the program is stopped`() throws {
    let screen = try example(80, 24)
    let result = try TerminalSession.run(
      """
      start 80 24
      keys '"$devaccess" top --example' Enter
      shows_screen \(screen.path)
      keys C-z
      shows Stopped
      flagged cursor 1 alternate 0
      keys 'stty | grep -c "^-icanon"; echo "can$((1 + 1))"' Enter
      shows can2
      seen 0 || echo 'keys are not lines'
      keys fg Enter
      shows_screen \(screen.path)
      flagged cursor 0 alternate 1
      keys q
      shows 'ready> fg'
      """)
    #expect(result.output == "")
    #expect(result.errors == "")
  }

  @Test func `is followed by the list while files change, and by the colours that it has`() throws {
    let result = try TerminalSession.run(
      #"""
      start 80 24
      run_top '"$there/file"' --read
      shows 'absent '
      touch "$there/file"
      shows 'allowed '
      keys Enter; shows 'allowed — read access to'; keys q
      rm "$there/file"
      shows 'absent '
      colours() { term capture-pane -pe | grep -c $'\e\[[0-9;]*3[123]m'; }
      until_true colours
      keys C-c
      ended
      export NO_COLOR=1
      run_top '"$there/file"' --read --color=never
      shows 'absent '
      colours
      keys C-c
      restored
      """#)
    #expect(result.output == "1\n0\nstatus 0\n")
    #expect(result.errors == "")
  }

  /// Each terminal sends its own sequences, and the description of the last one exists only in this
  /// test.
  @Test func `has the arrow and page keys of its description`() throws {
    let result = try TerminalSession.run(
      #"""
      start 80 24
      mkdir "$there/list"; touch "$there/list/"{10..69}
      at_row() { term capture-pane -p | grep -q "^> .*/list/$1 "; }
      row() { keys "${@:2}"; until_true at_row "$1"; }
      run_in() {
        keys "export TERM=$1" Enter
        run_top '"$there"/list/*'
        until_true at_row 10
      }
      for name in tmux-256color xterm-256color linux vt100; do
        run_in $name
        row 69 End; row 10 Home; row 29 PgDn; row 10 PgUp; row 12 Down Down; row 11 Up
        keys q
        restored
      done
      printf '%s\n' 'odd|a terminal with keys of its own,' \
        '  kcud1=\E<d, kcuu1=^K, kpp=\E<p, knp=\E<n, khome=^A^B, kend=^A@,' \
        '  use=xterm-256color,' >"$there/odd"
      tic -o "$there/terminfo" "$there/odd"
      keys 'export TERMINFO="$there/terminfo"' Enter
      run_in odd
      row 69 -H 1 40; row 10 -H 1 2; row 29 -H 1b 3c 6e; row 10 -H 1b 3c 70
      row 12 -H 1b 3c 64 1b 3c 64; row 11 -H b; row 12 Down
      keys q
      restored
      """#)
    #expect(result.output == String(repeating: "status 0\n", count: 5))
    #expect(result.errors == "")
  }

  /// These terminals have no alternate screen, so the contents remain above the prompt, except for
  /// the last line.
  @Test(arguments: ["linux", "vt100", "vt220"])
  func `has an empty last line for the prompt`(_ type: String) throws {
    let result = try TerminalSession.run(
      """
      start 80 24
      keys 'export TERM=\(type)' Enter
      gone() { ! seen 'q quit'; }
      at_prompt() { gone && term capture-pane -p | tail -n 1 | grep -qx 'ready> *'; }
      shown() { run_top --example; shows 'q quit'; }
      for signal in INT TERM HUP; do
        shown
        kill -$signal "$(<"$there/pid")"
        restored; until_true at_prompt
      done
      shown
      keys q
      restored; until_true at_prompt
      shown
      # The guard may come after the shell, which then does not know that the cursor was moved.
      kill -KILL "$(<"$there/pid")"
      restored; alone; until_true gone
      keys 'clear; "$devaccess" top --example' Enter
      shows 'q quit'
      keys C-z
      shows Stopped; until_true at_prompt
      keys fg Enter
      shows 'q quit'
      keys q
      until_true at_prompt
      """)
    #expect(result.output == String(repeating: "status 0\n", count: 4) + "status 137\n")
    #expect(result.errors == "")
  }

  @Test(arguments: ["TERM=dumb", "-u TERM", "TERM=nosuch"])
  func `that cannot move its cursor is refused in one line`(_ setting: String) throws {
    let result = try TerminalSession.run(
      """
      start 200 10
      stty=$there/stty
      keys 'stty -g >$stty; clear; env \(setting) "$devaccess" top --example; echo "status $?"' Enter
      shows 'status 64'
      term capture-pane -p | grep -c '^devaccess: top cannot.* TERM is'
      flags
      """)
    #expect(result.output == "1\ncursor 1 alternate 0\n")
  }

  @Test func `needs libncursesw, which no other command loads`() throws {
    let result = try TerminalSession.run(
      """
      for line in list 'check /etc/passwd' 'watch --help' 'top --help'; do
        LD_DEBUG=files $devaccess $line 2>&1 >/dev/null | grep -c ncurses
      done
      mkdir "$there/libraries"; echo text >"$there/libraries/libncursesw.so.6"
      start 200 10
      keys 'clear; LD_LIBRARY_PATH="$there/libraries" "$devaccess" top --example; echo "status $?"' Enter
      shows 'status 70'
      term capture-pane -p | head -1
      """)
    #expect(
      result.output
        == "0\n0\n0\n0\ndevaccess: libncursesw is missing: install the package libncursesw6\n")
  }
}

@Suite(.enabled(if: Product.path != nil, "devaccess is not beside the test bundle"))
struct `Top without a terminal` {
  @Test(arguments: ["</dev/null", "| cat", "--example </dev/null", "--from /dev/null | cat"])
  func `is refused in one line, with the status of wrong arguments`(_ rest: String) throws {
    let result = try Product.run("set -o pipefail; $devaccess top \(rest)")
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("devaccess: top needs a terminal on standard "))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.status == 64)
  }

  @Test(arguments: [
    ["top", "--from", "-"], ["top", "--read"], ["top", "--example", "--read"], ["top", "camra"],
    ["top", "camera", "--example"], ["top", "--from", "x", "--user", "root"], ["top", "--json"],
  ])
  func `what it cannot show is refused`(_ arguments: [String]) async {
    let result = await CommandResult.run(arguments)
    #expect(result.status == .usage)
    #expect(result.hasOneErrorLine)
  }
}
