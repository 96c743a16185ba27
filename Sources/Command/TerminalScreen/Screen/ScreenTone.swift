/// The tone of characters on a screen, which determines their color and weight.
package enum ScreenTone: Hashable, Sendable {
  case plain, good, bad, unsure, heading, faint
}
