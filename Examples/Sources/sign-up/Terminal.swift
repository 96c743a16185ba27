import CScreen
import Glibc

/// A terminal that shows a form, until this goes.
///
/// Ctrl-C and SIGTERM end the program, and ncurses gives the terminal back.
struct Terminal: ~Copyable {
  /// Wakes the wait for keys.
  struct Bell: Sendable {
    fileprivate let descriptor: Int32

    /// Ends the wait, from any thread.
    func ring() { eventfd_write(descriptor, 1) }
  }

  /// Wakes the wait; it must not be rung when the terminal is gone.
  let bell: Bell

  /// Takes the terminal over; `nil` where none can show a form.
  init?() {
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, cscreen_start() else {
      close(descriptor)
      return nil
    }
    bell = Bell(descriptor: descriptor)
  }

  deinit {
    _ = endwin()
    close(bell.descriptor)
  }

  /// Shows lines, and the cursor at the end of the one that has it.
  borrowing func draw(_ lines: [WizardText.Line]) {
    _ = erase()
    for (row, line) in lines.enumerated() { unsafe cscreen_write(Int32(row), line.text) }
    let row = lines.firstIndex { $0.hasCursor }
    _ = curs_set(row == nil ? 0 : 1)
    if let row { unsafe cscreen_move_behind(Int32(row), lines[row].text) }
    _ = refresh()
  }

  /// Waits until something was typed, the bell has rung or the size is another one.
  ///
  /// - Returns: The keys; `nil` when the terminal is gone.
  borrowing func keys() -> [WizardKey]? {
    var sources = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    // A signal, such as that of another size, ends it, too.
    _ = unsafe poll(&sources, 2, -1)
    var count: UInt64 = 0
    unsafe eventfd_read(bell.descriptor, &count)
    if Int32(sources[0].revents) & (POLLHUP | POLLERR) != 0 { return nil }
    var keys: [WizardKey] = []
    while true {
      let code = cscreen_key()
      if code == cscreen_none { return keys }
      if let key = WizardKey(code) { keys.append(key) }
    }
  }
}

extension WizardKey {
  /// The key of a code of ncurses; `nil` for one that the form does not know.
  fileprivate init?(_ code: Int) {
    switch code {
    case 9, cscreen_down: self = .next
    case cscreen_up, cscreen_backtab: self = .previous
    case 10, 13, cscreen_enter: self = .enter
    case 27: self = .escape
    case 8, 127, cscreen_backspace: self = .backspace
    default:
      guard code >= 32, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init),
        ![.control, .format, .unassigned].contains(scalar.properties.generalCategory)
      else { return nil }
      self = .character(Character(scalar))
    }
  }
}
