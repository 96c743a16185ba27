/// The state of a store: its design, what has to be told, and what is under way.
///
/// Changes are applied one at a time under the store's lock. Telling them happens outside it, by
/// one thread at a time: the one that found nobody telling. All others leave their records in
/// the queue.
@usableFromInline struct LegoState<B: Blueprint>: Sendable {
  @usableFromInline typealias Record = LegoKit.Record<B.Design, B.Change>
  @usableFromInline typealias Audience = LegoKit.Audience<B.Design, B.Change>
  @usableFromInline typealias Observer = LegoKit.Observer<B.Design, B.Change>

  @usableFromInline var design: B.Design
  /// How many changes were applied.
  @usableFromInline var number: UInt64 = 0
  @usableFromInline var audience: Audience?
  /// The root of the record that is being told now.
  @usableFromInline var telling: UInt64?
  @usableFromInline var queue = Queue<Record>()
  @usableFromInline var hasWaiters = false
  private let isAlwaysTold: Bool
  var effects = EffectRegistry<B>()
  private var waiters: [Waiter] = []

  /// - Parameter isAlwaysTold: Whether changes are told even when nobody observes.
  init(design: B.Design, isAlwaysTold: Bool) {
    self.design = design
    self.isAlwaysTold = isAlwaysTold
    audience = isAlwaysTold ? Audience([]) : nil
  }

  /// Applies a change.
  ///
  /// - Parameter root: The build that caused it, or `nil` when it is a build of its own.
  /// - Returns: The record that the caller has to tell, unless nobody listens or another tells.
  @inlinable mutating func apply(_ change: B.Change, root: UInt64?, with blueprint: B) -> Record? {
    number += 1
    guard let audience else {
      blueprint.change(&design, on: change)
      return nil
    }
    let old = audience.comparesDesigns ? design : nil
    blueprint.change(&design, on: change)
    let record = Record(
      number: number, root: root ?? number, change: change, old: old, design: design,
      audience: audience)
    if telling != nil {
      queue.append(record)
      return nil
    }
    telling = record.root
    return record
  }

  /// The next record to tell, or `nil` when the telling is over.
  @inlinable mutating func next() -> Record? {
    if queue.isEmpty {
      telling = nil
      return nil
    }
    let record = queue.popFirst()
    telling = record?.root
    return record
  }

  mutating func add(_ observer: Observer) {
    audience = (audience ?? Audience([])).adding(observer)
  }

  mutating func remove(_ observer: Observer) {
    guard let remaining = audience?.removing(observer) else { return }
    audience = remaining.observers.isEmpty && !isAlwaysTold ? nil : remaining
  }

  /// Whether anything that a build caused is still under way.
  func isBusy(_ root: UInt64) -> Bool {
    telling == root || effects.contains(root: root) || queue.contains { $0.root == root }
  }

  /// Makes the adaptors pass over what a build caused and was not told yet.
  mutating func stopAnswering(_ root: UInt64) {
    queue.forEach { if $0.root == root { $0.isAnswered = false } }
  }

  /// Adds a waiter, unless its build is over.
  mutating func add(_ waiter: Waiter) -> Bool {
    guard isBusy(waiter.root) else { return false }
    waiters.append(waiter)
    hasWaiters = true
    return true
  }

  /// Takes the waiters whose build is over.
  mutating func takeSettledWaiters() -> [Waiter] {
    guard hasWaiters else { return [] }
    let settled = waiters.filter { !isBusy($0.root) }
    if !settled.isEmpty { waiters = waiters.filter { isBusy($0.root) } }
    hasWaiters = !waiters.isEmpty
    return settled
  }
}
