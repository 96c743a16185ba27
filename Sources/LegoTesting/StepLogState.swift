internal import LegoKit

/// What a ``StepLog`` knows: each method says what there is to do next.
struct StepLogState<B: Blueprint>: Sendable {
  typealias Step = ChangeHook<B>.Step
  typealias Waiter = CheckedContinuation<Next, Never>

  /// What one who waits gets.
  enum Next: Sendable {
    case step(Step)
    case missing(Missing)
  }

  /// Why there is no change.
  enum Missing: Sendable {
    /// The time is over.
    case late
    /// Nothing is under way that could bring one.
    case idle
    /// The waiting task was cancelled.
    case cancelled
  }

  /// More changes than anybody could mean to receive.
  struct Excess: Sendable {
    let count: Int
    /// The build that caused the last of them.
    let root: UInt64
    let last: [B.Change]
  }

  /// One who waits, from before it is suspended.
  private enum Ticket: Sendable {
    case starting
    case waiting(Waiter)
    case over(Missing)
  }

  private(set) var unreceived: ArraySlice<Step> = []
  private(set) var design: B.Design
  /// The changes that the test built, by their numbers.
  private(set) var changes: [UInt64: B.Change] = [:]
  /// The steps of builds that the test has not looked at yet.
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
  /// One that the test receives late does not bring back an older design.
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

  // MARK: - Those who wait

  mutating func addTicket() -> UInt64 {
    lastTicket += 1
    tickets[lastTicket] = .starting
    return lastTicket
  }

  /// Has one wait.
  ///
  /// - Returns: What it gets at once.
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

  /// Ends the waiting of one.
  ///
  /// - Returns: The one, if it is suspended.
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

  /// Takes those who waited longest, with what they get.
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

  /// What is too much, once for each build.
  mutating func takeExcess() -> Excess? {
    guard unreceived.count > limit, let root = unreceived.last?.root, root != excessiveRoot else {
      return nil
    }
    excessiveRoot = root
    return Excess(count: unreceived.count, root: root, last: unreceived.suffix(8).map(\.change))
  }
}
