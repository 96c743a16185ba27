internal import LegoKit

/// The state of a ``StepLog``.
///
/// Its methods return the work that the caller does outside the lock.
struct StepLogState<B: Blueprint>: Sendable {
  typealias Step = ChangeHook<B>.Step
  typealias Waiter = CheckedContinuation<Next, Never>

  /// The result of a wait.
  enum Next: Sendable {
    case step(Step)
    case missing(Missing)
  }

  /// The reason why no change came.
  enum Missing: Sendable {
    /// The time is over.
    case late
    /// Nothing is under way that could send one.
    case idle
    /// The waiting task was cancelled.
    case cancelled
  }

  /// More changes than a test can be expected to receive.
  struct Excess: Sendable {
    let count: Int
    /// The build that caused the last of them.
    let root: UInt64
    let last: [B.Change]
  }

  /// A caller that waits, or is about to.
  private enum Ticket: Sendable {
    case starting
    case waiting(Waiter)
    case over(Missing)
  }

  private(set) var unreceived: ArraySlice<Step> = []
  private(set) var design: B.Design
  /// The changes that the test built, by their numbers.
  private(set) var changes: [UInt64: B.Change] = [:]
  /// The steps of builds that the test has not taken yet.
  private var builds: [UInt64: Step] = [:]
  /// The number of the change that made `design`.
  private var number: UInt64 = 0
  private var tickets: [UInt64: Ticket] = [:]
  private var lastTicket: UInt64 = 0
  private let limit: Int
  private var excessiveRoot: UInt64?

  init(_ design: B.Design, limit: Int) {
    self.design = design
    self.limit = limit
  }

  mutating func note(_ step: Step) {
    if step.number == step.root {
      builds[step.number] = step
      changes[step.number] = step.change
    } else {
      unreceived.append(step)
    }
  }

  /// Accounts for a change.
  ///
  /// A change that the test receives late does not restore an older design.
  private mutating func see(_ step: Step) {
    guard step.number > number else { return }
    (number, design) = (step.number, step.after)
  }

  mutating func take(build number: UInt64) -> (step: Step, earlier: [B.Change])? {
    guard let step = builds.removeValue(forKey: number) else { return nil }
    see(step)
    return (step, unreceived.prefix { $0.number < number }.map(\.change))
  }

  mutating func takeFirst() -> Step? {
    guard let step = unreceived.popFirst() else { return nil }
    see(step)
    return step
  }

  mutating func takeAll() {
    if let last = unreceived.last { see(last) }
    unreceived = []
  }

  // MARK: - Waiting

  mutating func addTicket() -> UInt64 {
    lastTicket += 1
    tickets[lastTicket] = .starting
    return lastTicket
  }

  /// Lets a caller wait.
  ///
  /// - Returns: The result, if it is available at once.
  mutating func wait(_ ticket: UInt64, _ waiter: Waiter) -> Next? {
    if case .over(let reason) = tickets[ticket] {
      tickets[ticket] = nil
      return .missing(reason)
    }
    if let step = takeFirst() {
      tickets[ticket] = nil
      return .step(step)
    }
    tickets[ticket] = .waiting(waiter)
    return nil
  }

  /// Ends a wait.
  ///
  /// - Returns: The caller, if it is suspended.
  mutating func giveUp(_ ticket: UInt64, _ reason: Missing) -> Waiter? {
    switch tickets[ticket] {
    case .waiting(let waiter):
      tickets[ticket] = nil
      return waiter
    case .starting:
      tickets[ticket] = .over(reason)
      return nil
    case .over, nil:
      return nil
    }
  }

  /// Takes the callers that have waited longest, with their changes.
  mutating func takeReady() -> [(Waiter, Step)] {
    if tickets.isEmpty { return [] }
    var ready: [(Waiter, Step)] = []
    for ticket in tickets.keys.sorted() {
      guard !unreceived.isEmpty, case .waiting(let waiter) = tickets[ticket] else { continue }
      tickets[ticket] = nil
      if let step = takeFirst() { ready.append((waiter, step)) }
    }
    return ready
  }

  /// Returns the excess once for each build that causes too many changes.
  mutating func takeExcess() -> Excess? {
    guard unreceived.count > limit, let root = unreceived.last?.root, root != excessiveRoot else {
      return nil
    }
    excessiveRoot = root
    return Excess(count: unreceived.count, root: root, last: unreceived.suffix(8).map(\.change))
  }
}
