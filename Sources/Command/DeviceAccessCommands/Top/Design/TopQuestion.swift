internal import AccessModel

/// A question whose answers are rows of the list.
struct TopQuestion: Hashable, Sendable {
  var question: Question
  /// A Boolean value that indicates whether the user named the target.
  ///
  /// If so, it has a row even if it is absent.
  var isNamed: Bool
}
