/// A key that a terminal reports.
package enum Key: Hashable, Sendable {
  case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace
  /// A typed character, which may be a control character.
  case character(Unicode.Scalar)
}
