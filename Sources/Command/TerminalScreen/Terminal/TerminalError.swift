/// The reason why a terminal cannot show a screen.
package enum TerminalError: Error, Hashable, Sendable {
  /// libncursesw is missing.
  case noLibrary
  /// The terminal type is unknown, or the terminal cannot move its cursor.
  case unsuitable
  /// A system call failed with the given error number.
  case failed(Int32)
}
