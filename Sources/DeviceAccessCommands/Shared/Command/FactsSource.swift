internal import AccessModel

/// Where the facts of an answer come from.
enum FactsSource: Equatable, Sendable {
  case machine(Question)
  /// A snapshot in a file, or on standard input for `-`; `wanted` replaces its request.
  ///
  /// Only what it says about the targets counts; without any, everything does.
  case file(
    String, wanted: Permissions?, purpose: Question.Purpose = .use,
    about: [Question.Target] = [])
  /// The snapshot that is built in.
  case example
}
