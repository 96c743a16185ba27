/// How characters of a screen stand out.
package enum ScreenTone: Hashable, Sendable {
  case plain, good, bad, unsure, heading, faint
}
