/// Why a terminal can show no screen.
package enum TerminalError: Error, Hashable, Sendable {
  /// libncursesw is missing.
  case noLibrary
  /// No terminal of that name is known, or it cannot move its cursor.
  case unsuitable
  /// A system call failed, with this error number.
  case failed(Int32)
}
