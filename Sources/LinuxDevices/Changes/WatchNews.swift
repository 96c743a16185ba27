/// What a watch has been told since somebody last took it.
public struct WatchNews: Hashable, Sendable {
  /// Which questions may have another answer.
  public var questions: TouchedQuestions
  /// The paths at which something appeared, as when a file was renamed: what is there now is another
  /// object, even where everything about it is the same.
  ///
  /// Of very many not all are kept.
  public var arrivals: Set<String> = []

  /// What comes and goes while nobody asks must not fill the memory.
  private static let mostArrivals = 1024

  /// Nothing.
  public static let none = Self(.none)
  /// Something that may matter to every question.
  public static let all = Self(.all)

  /// Creates the news for some questions.
  public init(_ questions: TouchedQuestions, arrivals: Set<String> = []) {
    self.questions = questions
    self.arrivals = arrivals
  }

  /// Adds other news.
  public mutating func formUnion(_ other: Self) {
    questions.formUnion(other.questions)
    if arrivals.isEmpty {
      arrivals = other.arrivals
    } else if !other.arrivals.isEmpty, arrivals.count < Self.mostArrivals {
      arrivals.formUnion(other.arrivals)
    }
  }
}
