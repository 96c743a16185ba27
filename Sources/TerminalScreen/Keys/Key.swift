/// A key, as a terminal tells it.
package enum Key: Hashable, Sendable {
  case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace
  /// A character that was typed, control characters included.
  case character(Unicode.Scalar)
}
