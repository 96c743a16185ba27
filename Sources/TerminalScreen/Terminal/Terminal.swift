internal import CNcurses
internal import CTerminalGuard
internal import Glibc

/// A terminal that shows screens, until this value goes away.
///
/// Then, and when anything else ends the process, it is as it was before. There is one at a time,
/// and only one thread at a time may use it, because ncurses keeps its state in the process.
@safe package struct Terminal: ~Copyable {
  private let functions: cncurses
  private let input: Int32
  private let screen: OpaquePointer
  private let window: UnsafeMutablePointer<WINDOW>
  private let outputStream: CursesStream
  private let inputStream: CursesStream
  private let hasColors: Bool
  /// What its special keys send.
  package let keys: KeySequences

  /// Takes a terminal over.
  ///
  /// The kind of terminal is that of `TERM`. The signals that stop and end a program have to be
  /// blocked already: ncurses would answer them.
  ///
  /// - Parameters:
  ///   - input: The descriptor to read keys from, which stays the caller's.
  ///   - output: The descriptor to draw on, which stays the caller's.
  ///   - wantsColors: Whether colours are used, where the terminal has them.
  /// - Throws: ``TerminalError``; the terminal is then as it was.
  package init(input: Int32, output: Int32, wantsColors: Bool) throws(TerminalError) {
    let functions = try CursesLibrary.functions()
    // Without a locale of the user, characters outside ASCII could not be shown.
    if unsafe setlocale(LC_CTYPE, "") == nil { unsafe setlocale(LC_CTYPE, "C.UTF-8") }
    // They close when this fails, and after the screen has ended.
    let outputStream = try CursesStream(output, mode: "w")
    let inputStream = try CursesStream(input, mode: "r")
    // ncurses changes its modes at once.
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

  /// How many characters it shows, as the kernel says.
  package var size: ScreenSize {
    var size = winsize()
    if unsafe ioctl(input, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 {
      return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
    let (columns, rows) = unsafe (functions.getmaxx(window), functions.getmaxy(window))
    guard columns > 0, rows > 0 else { return .standard }
    return ScreenSize(columns: Int(columns), rows: Int(rows))
  }

  /// Draws on as many lines and columns from now on.
  package borrowing func resize(to size: ScreenSize) {
    let (rows, columns) = (Int32(size.rows), Int32(size.columns))
    _ = functions.resizeterm(rows, columns)
    _ = unsafe functions.wresize(window, rows, columns)
    _ = unsafe functions.clearok(window, true)
  }

  /// Shows a screen; only what has changed is sent.
  ///
  /// - Parameters:
  ///   - shown: What is shown from now on.
  ///   - anew: Whether everything is sent, because something else may have been drawn.
  package borrowing func draw(_ shown: Screen, anew: Bool = false) {
    if anew { _ = unsafe functions.clearok(window, true) }
    _ = unsafe functions.werase(window)
    for (row, line) in shown.lines.enumerated() {
      _ = unsafe functions.wmove(window, Int32(row), 0)
      for span in line.spans {
        let (attributes, pair) = look(of: span.tone, isReversed: line.isReversed)
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

  private borrowing func look(of tone: ScreenTone, isReversed: Bool) -> (attr_t, Int16) {
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

  /// Makes the colours of the tones; tells whether the terminal has colours.
  private static func startColors(_ functions: cncurses) -> Bool {
    guard functions.has_colors(), functions.start_color() == OK else { return false }
    let background: Int16 = functions.use_default_colors() == OK ? -1 : 0
    for (index, color) in [cncurses_green, cncurses_red, cncurses_yellow].enumerated() {
      _ = functions.init_pair(Int16(index + 1), color, background)
    }
    return true
  }

  // MARK: Stopping

  /// Gives the terminal back, stops the process, and takes the terminal again when it goes on.
  ///
  /// `SIGTSTP` has to be blocked.
  package borrowing func stop() {
    giveBack()
    terminal_guard_stop()
    takeAgain()
  }

  /// Takes the terminal again after the process was continued: the shell has used it meanwhile.
  package borrowing func takeAgain() {
    setModes()
    _ = unsafe functions.clearok(window, true)
  }

  /// Leaves the terminal as it was; the last line is left empty.
  ///
  /// A terminal without a second screen keeps what was shown, and the shell's prompt begins on the
  /// last line.
  private borrowing func giveBack() {
    _ = unsafe functions.wmove(window, functions.getmaxy(window) - 1, 0)
    _ = unsafe functions.wclrtoeol(window)
    _ = unsafe functions.wrefresh(window)
    _ = functions.endwin()
    _ = terminal_guard_restore_modes()
  }

  /// Has keys come as they are typed; key combinations that are signals stay so.
  private borrowing func setModes() {
    _ = functions.cbreak()
    _ = functions.noecho()
    _ = functions.nonl()
    // Keys send what terminfo says only after the terminal was told to (smkx).
    _ = unsafe functions.keypad(window, true)
    _ = terminal_guard_set_input(input)
    _ = functions.def_prog_mode()
  }

  // MARK: Capabilities

  /// What the keys send that are used here, as the terminal's description says (terminfo(5)).
  private static func keys(_ functions: cncurses) -> KeySequences {
    var keys = KeySequences()
    for (name, key) in KeySequences.capabilities {
      if let bytes = capability(name, functions) { keys.add(bytes, key) }
    }
    return keys
  }

  /// What moves to the last line and empties it.
  ///
  /// By then the size may be another one, but the cursor does not leave the terminal.
  private static func emptyLastLine(_ functions: cncurses) -> [UInt8] {
    guard let move = capability("cup", functions), let erase = capability("el", functions)
    else { return [] }
    let format = (move + [0]).map { CChar(truncatingIfNeeded: $0) }
    // It takes the column before the row.
    guard let text = unsafe functions.tgoto(format, 0, 998) else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text))) + erase
  }

  /// What a capability of the terminal sends; `nil` where it has none of that name.
  private static func capability(_ name: String, _ functions: cncurses) -> [UInt8]? {
    var name = Array(name.utf8CString)
    // It answers -1 for the name of a capability that is no text.
    guard let text = unsafe functions.tigetstr(&name), UInt(bitPattern: text) != UInt.max
    else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
    return unsafe CapabilityText.withoutPadding(Array(bytes))
  }
}
