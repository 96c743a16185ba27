internal import AccessModel

/// The source of the facts for an answer.
enum FactsSource: Equatable, Sendable {
  case machine(Question)
  /// The snapshots in a file, or on standard input for `-`.
  ///
  /// `wanted` and `purpose` replace the request of each snapshot. Only answers about the targets
  /// are shown; without targets, all are.
  case file(
    String, wanted: Permissions?, purpose: Question.Purpose = .use,
    about: [Question.Target] = [])
  /// The built-in example snapshot.
  case example
}
