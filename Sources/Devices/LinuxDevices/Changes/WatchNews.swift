/// The changes that a watch has reported since they were last taken.
public struct WatchNews: Hashable, Sendable {
  /// The questions whose answers may have changed.
  public var questions: TouchedQuestions
  /// The paths at which an object appeared, for example because a file was renamed.
  ///
  /// The object there is a different one, even if its attributes are the same. If there are very
  /// many paths, not all are kept.
  public var arrivals: Set<String> = []

  /// The number of paths above which no more are added, which bounds the memory use.
  private static let mostArrivals = 1024

  /// No changes.
  public static let none = Self(.none)
  /// Changes that may affect every question.
  public static let all = Self(.all)

  /// Creates a value for changes that may affect some questions.
  public init(_ questions: TouchedQuestions, arrivals: Set<String> = []) {
    self.questions = questions
    self.arrivals = arrivals
  }

  /// Adds other changes.
  public mutating func formUnion(_ other: Self) {
    questions.formUnion(other.questions)
    if arrivals.isEmpty {
      arrivals = other.arrivals
    } else if !other.arrivals.isEmpty, arrivals.count < Self.mostArrivals {
      arrivals.formUnion(other.arrivals)
    }
  }
}
