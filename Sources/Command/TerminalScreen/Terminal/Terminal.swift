internal import CNcurses
internal import CTerminalGuard
internal import Glibc

/// A terminal that shows screens for the lifetime of this value.
///
/// The terminal is restored when the value is destroyed, and when the process ends for any other
/// reason. Only one terminal can exist at a time, and only one thread at a time may use it, because
/// ncurses keeps its state in the process.
@safe package struct Terminal: ~Copyable {
  private let functions: cncurses
  private let input: Int32
  private let screen: OpaquePointer
  private let window: UnsafeMutablePointer<WINDOW>
  private let outputStream: CursesStream
  private let inputStream: CursesStream
  private let hasColors: Bool
  /// The byte sequences that the special keys send.
  package let keys: KeySequences

  /// Takes over a terminal.
  ///
  /// The environment variable `TERM` selects the terminal type. The caller must first block the
  /// signals that stop or end a program, because ncurses would handle them.
  ///
  /// - Parameters:
  ///   - input: The descriptor to read keys from, which the caller continues to own.
  ///   - output: The descriptor to draw on, which the caller continues to own.
  ///   - wantsColors: `true` to use colors if the terminal has them.
  /// - Throws: ``TerminalError``, after restoring the terminal.
  package init(input: Int32, output: Int32, wantsColors: Bool) throws(TerminalError) {
    let functions = try CursesLibrary.functions()
    // Without a locale, ncurses cannot show characters outside ASCII.
    if unsafe setlocale(LC_CTYPE, "") == nil { unsafe setlocale(LC_CTYPE, "C.UTF-8") }
    // Both streams close if this initializer fails, or after the screen has ended.
    let outputStream = try CursesStream(output, mode: "w")
    let inputStream = try CursesStream(input, mode: "r")
    // ncurses changes the terminal modes immediately.
    let failure = terminal_guard_arm(input)
    guard failure == 0 else { throw .failed(-failure) }
    guard let screen = unsafe functions.newterm(nil, outputStream.raw, inputStream.raw) else {
      _ = terminal_guard_restore_modes()
      terminal_guard_disarm()
      throw .unsuitable
    }
    let canMove = Self.capability("cup", functions) != nil
    let window = canMove ? unsafe functions.newwin(0, 0, 0, 0) : nil
    var bytes: [UInt8] = []
    for name in ["sgr0", "cnorm", "rmkx"] { bytes += Self.capability(name, functions) ?? [] }
    bytes += Self.emptyLastLine(functions)
    bytes += Self.capability("rmcup", functions) ?? []
    bytes.append(UInt8(ascii: "\r"))
    guard let window = unsafe window, unsafe terminal_guard_set_bytes(bytes, bytes.count) == 0
    else {
      _ = functions.endwin()
      _ = terminal_guard_restore_modes()
      terminal_guard_disarm()
      unsafe functions.delscreen(screen)
      throw .unsuitable
    }
    self.functions = functions
    self.input = input
    self.outputStream = outputStream
    self.inputStream = inputStream
    unsafe self.screen = screen
    unsafe self.window = window
    hasColors = wantsColors && Self.startColors(functions)
    keys = Self.keys(functions)
    setModes()
  }

  deinit {
    giveBack()
    terminal_guard_disarm()
    unsafe functions.delscreen(screen)
  }

  // MARK: Drawing

  /// The size in characters, as the kernel reports it.
  package var size: ScreenSize {
    var size = winsize()
    if unsafe ioctl(input, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 {
      return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
    let (columns, rows) = unsafe (functions.getmaxx(window), functions.getmaxy(window))
    guard columns > 0, rows > 0 else { return .standard }
    return ScreenSize(columns: Int(columns), rows: Int(rows))
  }

  /// Changes the size of the area to draw.
  package borrowing func resize(to size: ScreenSize) {
    let (rows, columns) = (Int32(size.rows), Int32(size.columns))
    _ = functions.resizeterm(rows, columns)
    _ = unsafe functions.wresize(window, rows, columns)
    _ = unsafe functions.clearok(window, true)
  }

  /// Shows a screen, and sends only what has changed.
  ///
  /// - Parameters:
  ///   - shown: The screen to show.
  ///   - anew: `true` to send everything, because another program may have drawn on the terminal.
  package borrowing func draw(_ shown: Screen, anew: Bool = false) {
    if anew { _ = unsafe functions.clearok(window, true) }
    _ = unsafe functions.werase(window)
    for (row, line) in shown.lines.enumerated() {
      _ = unsafe functions.wmove(window, Int32(row), 0)
      for span in line.spans {
        let (attributes, pair) = style(of: span.tone, isReversed: line.isReversed)
        _ = unsafe functions.wattr_set(window, attributes, pair, nil)
        let characters = span.text.unicodeScalars.map { wchar_t(truncatingIfNeeded: $0.value) }
        _ = unsafe functions.waddnwstr(window, characters, Int32(characters.count))
      }
    }
    _ = unsafe functions.wattr_set(window, cncurses_normal, 0, nil)
    _ = functions.curs_set(shown.cursor == nil ? 0 : 1)
    let cursor = shown.cursor ?? Screen.Cursor(row: 0, column: 0)
    _ = unsafe functions.wmove(window, Int32(cursor.row), Int32(cursor.column))
    _ = unsafe functions.wrefresh(window)
  }

  private borrowing func style(of tone: ScreenTone, isReversed: Bool) -> (attr_t, Int16) {
    let reverse = isReversed ? cncurses_reverse : cncurses_normal
    switch tone {
    case .plain: return (reverse, 0)
    case .heading: return (cncurses_bold | reverse, 0)
    case .faint: return (cncurses_dim | reverse, 0)
    case .good: return (reverse, hasColors ? 1 : 0)
    case .bad: return (reverse, hasColors ? 2 : 0)
    case .unsure: return (reverse, hasColors ? 3 : 0)
    }
  }

  /// Creates the colors of the tones, and returns `true` if the terminal has colors.
  private static func startColors(_ functions: cncurses) -> Bool {
    guard functions.has_colors(), functions.start_color() == OK else { return false }
    let background: Int16 = functions.use_default_colors() == OK ? -1 : 0
    for (index, color) in [cncurses_green, cncurses_red, cncurses_yellow].enumerated() {
      _ = functions.init_pair(Int16(index + 1), color, background)
    }
    return true
  }

  // MARK: Stopping

  /// Restores the terminal, stops the process, and takes over the terminal when the process
  /// continues.
  ///
  /// The caller must block `SIGTSTP`.
  package borrowing func stop() {
    giveBack()
    terminal_guard_stop()
    takeAgain()
  }

  /// Takes over the terminal again after the process was continued, because the shell has used it.
  package borrowing func takeAgain() {
    setModes()
    _ = unsafe functions.clearok(window, true)
  }

  /// Restores the terminal and leaves the last line empty.
  ///
  /// A terminal without an alternate screen keeps its contents, and the shell's prompt starts on
  /// the last line.
  private borrowing func giveBack() {
    _ = unsafe functions.wmove(window, functions.getmaxy(window) - 1, 0)
    _ = unsafe functions.wclrtoeol(window)
    _ = unsafe functions.wrefresh(window)
    _ = functions.endwin()
    _ = terminal_guard_restore_modes()
  }

  /// Reads keys as they are typed, and keeps the key combinations that send signals.
  private borrowing func setModes() {
    _ = functions.cbreak()
    _ = functions.noecho()
    _ = functions.nonl()
    // Keys send the sequences in terminfo only after smkx was sent to the terminal.
    _ = unsafe functions.keypad(window, true)
    _ = terminal_guard_set_input(input)
    _ = functions.def_prog_mode()
  }

  // MARK: Capabilities

  /// The sequences of the supported keys, from the terminal's description (terminfo(5)).
  private static func keys(_ functions: cncurses) -> KeySequences {
    var keys = KeySequences()
    for (name, key) in KeySequences.capabilities {
      if let bytes = capability(name, functions) { keys.add(bytes, key) }
    }
    return keys
  }

  /// The sequence that moves to the last line and clears it.
  ///
  /// The terminal's size may have changed by then, but the cursor stays on the screen.
  private static func emptyLastLine(_ functions: cncurses) -> [UInt8] {
    guard let move = capability("cup", functions), let erase = capability("el", functions)
    else { return [] }
    let format = (move + [0]).map { CChar(truncatingIfNeeded: $0) }
    // tgoto takes the column before the row.
    guard let text = unsafe functions.tgoto(format, 0, 998) else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text))) + erase
  }

  /// The sequence of a terminal capability; `nil` if the terminal lacks it.
  private static func capability(_ name: String, _ functions: cncurses) -> [UInt8]? {
    var name = Array(name.utf8CString)
    // tigetstr returns -1 for a capability that is not a string.
    guard let text = unsafe functions.tigetstr(&name), UInt(bitPattern: text) != UInt.max
    else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
    return unsafe CapabilityText.withoutPadding(Array(bytes))
  }
}

/// The reason why a terminal cannot show a screen.
package enum TerminalError: Error, Hashable, Sendable {
  /// libncursesw is missing.
  case noLibrary
  /// The terminal type is unknown, or the terminal cannot move its cursor.
  case unsuitable
  /// A system call failed with the given error number.
  case failed(Int32)
}
