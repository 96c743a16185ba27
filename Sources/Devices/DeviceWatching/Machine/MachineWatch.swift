public import AccessModel

/// Reports when the facts of a machine may have changed.
///
/// A watch ends when the task that iterates over ``signals`` is cancelled, or when the watch is
/// released.
public protocol MachineWatch: AnyObject, Sendable {
  /// Watches the objects that the facts of some questions depend on.
  ///
  /// These replace the objects that were watched for the same questions before. The watches for
  /// other questions do not change.
  ///
  /// - Parameters:
  ///   - facts: The facts, by question number.
  ///   - interval: The interval between signals while some changes cause no events.
  /// - Returns: The coverage of all questions.
  func cover(_ facts: [Int: AccessFacts], pollingEvery interval: Duration) -> WatchCoverage

  /// A stream with an element after one or more reasons to scan again, for one consumer.
  var signals: AsyncStream<Void> { get }

  /// Returns the changes that were reported since the last call.
  ///
  /// Later changes send another signal.
  func takeReportedChanges() -> WatchedChanges

  /// Returns the same as ``takeReportedChanges()``, and the changes that have not been reported yet.
  ///
  /// The call does not wait. If facts changed while they were read, some of them may be old and
  /// others new.
  func takeAllChanges() -> WatchedChanges

  /// Sends a signal as if everything could have changed.
  func wake()

  /// Returns whether a session switch is in progress, or was when the facts were read.
  ///
  /// Such facts may contradict each other. The end of the switch sends a signal.
  func isSwitchingSessions(since facts: AccessFacts) -> Bool
}

extension MachineWatch {
  /// Returns all questions, for a watch that cannot distinguish between them.
  public func takeReportedChanges() -> WatchedChanges { .all }

  /// Returns no changes, for a watch that reports every change soon enough.
  public func takeAllChanges() -> WatchedChanges { .none }

  /// Returns `false`, for a machine that switches sessions instantly.
  public func isSwitchingSessions(since facts: AccessFacts) -> Bool { false }
}

/// Describes how completely facts are watched.
public struct WatchCoverage: Hashable, Sendable {
  /// A Boolean value that indicates whether the given facts may be out of date.
  ///
  /// They may if an object was not watched before, or if they include facts that cause no events
  /// and were not read again.
  public var isNew: Bool
  /// The facts whose changes cause no events, each with a reason.
  ///
  /// They are read again after an interval.
  public var gaps: [Unobserved]

  /// Creates a coverage.
  public init(isNew: Bool, gaps: [Unobserved] = []) {
    self.isNew = isNew
    self.gaps = gaps
  }
}

/// The changes that a watch has reported since they were last taken.
public struct WatchedChanges: Hashable, Sendable {
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

/// The questions whose answers may have changed since the last scan.
public enum TouchedQuestions: Hashable, Sendable {
  /// All questions, for example because events were lost.
  case all
  /// The questions with the given numbers.
  case some(QuestionNumbers)

  /// No questions.
  public static let none = Self.some([])

  /// Adds other questions.
  public mutating func formUnion(_ other: Self) {
    guard case .some(var numbers) = self, case .some(let others) = other else {
      self = .all
      return
    }
    self = .none
    numbers.formUnion(others)
    self = .some(numbers)
  }

  /// Returns whether no question is in both values.
  public func isDisjoint(with other: Self) -> Bool {
    switch (self, other) {
    case (.all, .all): false
    case (.all, .some(let numbers)), (.some(let numbers), .all): numbers.isEmpty
    case (.some(let mine), .some(let others)): mine.isDisjoint(with: others)
    }
  }

  /// Returns whether a question is included.
  public func contains(_ number: Int) -> Bool {
    switch self {
    case .all: true
    case .some(let numbers): numbers.contains(number)
    }
  }
}

/// A set of question numbers that keeps the order of insertion.
///
/// Sets with the same numbers are equal, regardless of the order.
public struct QuestionNumbers: Sendable, Sequence, ExpressibleByArrayLiteral {
  private var order: [Int] = []
  /// The same numbers, if there are too many for a linear search.
  private var members: Set<Int> = []

  private static let mostSearched = 16

  /// Creates an empty set.
  public init() {}

  /// Creates a set with numbers in the given order.
  public init(_ numbers: some Sequence<Int>) {
    for number in numbers { insert(number) }
  }

  public init(arrayLiteral numbers: Int...) { self.init(numbers) }

  /// A Boolean value that indicates whether the set is empty.
  public var isEmpty: Bool { order.isEmpty }

  /// Adds a number at the end, unless the set contains it.
  public mutating func insert(_ number: Int) {
    guard !contains(number) else { return }
    order.append(number)
    if !members.isEmpty {
      members.insert(number)
    } else if order.count > Self.mostSearched {
      members = Set(order)
    }
  }

  /// Adds the numbers of another set.
  public mutating func formUnion(_ others: Self) {
    guard !isEmpty else {
      self = others
      return
    }
    for number in others { insert(number) }
  }

  /// Returns whether the set contains a number.
  public func contains(_ number: Int) -> Bool {
    members.isEmpty ? order.contains(number) : members.contains(number)
  }

  /// Returns the numbers less than `count`, in the same order.
  public func below(_ count: Int) -> Self {
    // Usually these are all numbers.
    let indices = 0..<count
    return order.allSatisfy(indices.contains) ? self : Self(order.filter(indices.contains))
  }

  /// Returns whether no number is in both sets.
  public func isDisjoint(with other: Self) -> Bool {
    let (few, many) = order.count < other.order.count ? (self, other) : (other, self)
    return !few.order.contains(where: many.contains)
  }

  public func makeIterator() -> IndexingIterator<[Int]> { order.makeIterator() }
}

extension QuestionNumbers: Hashable {
  public static func == (one: Self, other: Self) -> Bool {
    one.order.count == other.order.count && one.order.allSatisfy(other.contains)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(Set(order)) }
}
