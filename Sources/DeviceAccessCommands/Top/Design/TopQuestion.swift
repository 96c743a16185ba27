internal import AccessModel

/// A question whose answers are rows of the list.
struct TopQuestion: Hashable, Sendable {
  var question: Question
  /// Whether somebody asked for it, so that what is absent has a row, too.
  var isNamed: Bool
}
