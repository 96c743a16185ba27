internal import CNcurses

/// The functions of ncurses, which is loaded when the first screen is shown.
enum CursesLibrary {
  private static let loaded = load("libncursesw.so.6")

  /// Returns the functions of a library; `nil` if the library or one of them is missing.
  static func load(_ name: String) -> cncurses? {
    guard let functions = unsafe cncurses_load(name) else { return nil }
    return unsafe functions.pointee
  }

  /// Returns the functions, which are named as in ncurses(3).
  ///
  /// - Throws: ``TerminalError/noLibrary`` if the library or one of them is missing.
  static func functions() throws(TerminalError) -> cncurses {
    guard let loaded else { throw .noLibrary }
    return loaded
  }
}
