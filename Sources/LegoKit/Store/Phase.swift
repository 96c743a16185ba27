/// How far a store has been closed.
enum Phase: Sendable {
  case open
  /// What was under way goes on, and nothing comes from outside.
  case closing
  case closed
}
