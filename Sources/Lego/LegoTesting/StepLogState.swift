internal import LegoKit

/// The state of a ``StepLog``.
///
/// The methods return the work that the caller must do outside the lock.
struct StepLogState<B: Blueprint>: Sendable {
  typealias Step = ChangeHook<B>.Step
  typealias Waiter = CheckedContinuation<Next, Never>

  /// The result of waiting for a change.
  enum Next: Sendable {
    case step(Step)
    case missing(Missing)
  }

  /// The reason why there is no change.
  enum Missing: Sendable {
    /// The timeout has elapsed.
    case late
    /// Nothing is running that could send a change.
    case idle
    /// The waiting task was cancelled.
    case cancelled
  }

  /// A report that more changes are waiting to be received than the limit allows.
  struct Excess: Sendable {
    let count: Int
    /// The number of the build that caused the last change, or 0 if no build caused it.
    let root: UInt64
    let last: [B.Change]
  }

  /// A caller that is waiting or about to wait.
  private enum Ticket: Sendable {
    case starting
    case waiting(Waiter)
    case over(Missing)
  }

  private(set) var unreceived: ArraySlice<Step> = []
  private(set) var design: B.Design
  /// The changes of all builds, keyed by build number.
  private(set) var changes: [UInt64: B.Change] = [:]
  /// The steps of builds that the test has not taken yet, keyed by build number.
  private var builds: [UInt64: Step] = [:]
  /// The number of the change that produced `design`.
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

  /// Records that the test has accounted for a change.
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

  /// Adds a caller that waits for a change, unless the result is available immediately.
  ///
  /// - Returns: The result if it is available; otherwise, `nil`.
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

  /// Ends a caller's wait without a change.
  ///
  /// - Returns: The caller if it is suspended; otherwise, `nil`.
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

  /// Removes the callers that can now receive a change, and returns each of them with its change.
  ///
  /// The caller that has waited longest comes first.
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

  /// Returns a report if too many changes are waiting to be received.
  ///
  /// The result is `nil` if that is not the case, or if the last report was for the same build.
  mutating func takeExcess() -> Excess? {
    guard unreceived.count > limit, let root = unreceived.last?.root, root != excessiveRoot else {
      return nil
    }
    excessiveRoot = root
    return Excess(count: unreceived.count, root: root, last: unreceived.suffix(8).map(\.change))
  }
}
