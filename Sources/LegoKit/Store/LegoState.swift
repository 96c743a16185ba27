/// The state of a store: its design, what has to be told, and what is under way.
///
/// Changes are applied one at a time under the store's lock. Telling them happens outside it, by
/// one thread at a time: the one that found nobody telling. All others leave their records in
/// the queue.
struct LegoState<B: Blueprint>: Sendable {
  typealias Record = LegoKit.Record<B.Design, B.Change>
  typealias Audience = LegoKit.Audience<B.Design, B.Change>
  typealias Observer = LegoKit.Observer<B.Design, B.Change>

  var design: B.Design
  /// How many changes were applied.
  private(set) var number: UInt64 = 0
  private(set) var audience: Audience?
  /// The root of the record that is being told now.
  private(set) var telling: UInt64?
  private var queue = Queue<Record>()
  private let hasAdaptors: Bool
  var effects = EffectRegistry<B>()
  var waiters: [Waiter] = []

  init(design: B.Design, hasAdaptors: Bool) {
    self.design = design
    self.hasAdaptors = hasAdaptors
    audience = hasAdaptors ? Audience([]) : nil
  }

  /// Applies a change.
  ///
  /// - Parameter root: The build that caused it, or `nil` when it is a build of its own.
  /// - Returns: The record that the caller has to tell, unless nobody listens or another tells.
  mutating func apply(_ change: B.Change, root: UInt64?, with blueprint: B) -> Record? {
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
  mutating func next() -> Record? {
    let record = queue.popFirst()
    telling = record?.root
    return record
  }

  mutating func add(_ observer: Observer) {
    audience = (audience ?? Audience([])).adding(observer)
  }

  mutating func remove(_ observer: Observer) {
    guard let remaining = audience?.removing(observer) else { return }
    audience = remaining.observers.isEmpty && !hasAdaptors ? nil : remaining
  }

  /// Whether anything that a build caused is still under way.
  func isBusy(_ root: UInt64) -> Bool {
    telling == root || effects.contains(root: root) || queue.contains { $0.root == root }
  }

  /// Makes the adaptors pass over what a build caused and was not told yet.
  mutating func stopAnswering(_ root: UInt64) {
    queue.forEach { if $0.root == root { $0.isAnswered = false } }
  }

  /// Takes the waiters whose build is over.
  mutating func takeSettledWaiters() -> [Waiter] {
    guard !waiters.isEmpty else { return [] }
    let settled = waiters.filter { !isBusy($0.root) }
    if !settled.isEmpty { waiters = waiters.filter { isBusy($0.root) } }
    return settled
  }
}
