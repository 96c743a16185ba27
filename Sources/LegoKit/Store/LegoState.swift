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
  /// The root of the record that is being told now, or was told last.
  @usableFromInline var telling: UInt64 = 0
  @usableFromInline var queue = RecordQueue<B.Design, B.Change>()
  private let isAlwaysTold: Bool
  var effects = EffectRegistry<B>()
  private var waiters: [Waiter] = []

  /// Creates the state of a store.
  ///
  /// - Parameters:
  ///   - design: The first design.
  ///   - isAlwaysTold: Whether changes are told even when nobody observes.
  init(design: B.Design, isAlwaysTold: Bool) {
    self.design = design
    self.isAlwaysTold = isAlwaysTold
    audience = isAlwaysTold ? Audience([]) : nil
  }

  /// Applies a change.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - root: The build that caused it, or `nil` when it is a build of its own.
  ///   - blueprint: What the change does.
  ///   - turn: Whose turn it is to tell.
  ///   - before: Becomes the design before, if someone wants to compare.
  ///   - after: Becomes the design after.
  /// - Returns: Those whom the caller has to tell, unless nobody listens or another tells.
  @inlinable mutating func apply(
    _ change: B.Change, root: UInt64?, with blueprint: B, _ turn: borrowing Turn,
    _ before: inout B.Design?, _ after: inout B.Design?
  ) -> Audience? {
    number += 1
    guard let audience else {
      blueprint.change(&design, on: change)
      return nil
    }
    if audience.comparesDesigns { before = design }
    blueprint.change(&design, on: change)
    if turn.take() {
      after = design
      telling = root ?? number
      return audience
    }
    queue.append(
      Record(
        Telling(change, number: number, root: root ?? number), before, design, audience))
    guard turn.want() else { return nil }
    // The one that told has just ended, so that the queue holds nothing but this record.
    _ = next(turn)
    turn.clear()
    after = design
    return audience
  }

  /// The next record to tell, or `nil` when there is none now.
  @inlinable mutating func next(_ turn: borrowing Turn) -> Record? {
    guard let record = queue.popFirst() else {
      turn.clear()
      return nil
    }
    telling = record.telling.root
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
  func isBusy(_ root: UInt64, isTelling: Bool) -> Bool {
    isTelling && telling == root || effects.contains(root: root) || queue.contains(root: root)
  }

  /// Makes the adaptors pass over what a build caused and was not told yet.
  mutating func stopAnswering(_ root: UInt64) {
    queue.stopAnswering(root)
  }

  /// Adds a waiter.
  mutating func add(_ waiter: Waiter) {
    waiters.append(waiter)
  }

  /// Whether anyone waits.
  var hasWaiters: Bool { !waiters.isEmpty }

  /// Takes the waiters whose build is over.
  mutating func takeSettledWaiters(isTelling: Bool) -> [Waiter] {
    let settled = waiters.filter { !isBusy($0.root, isTelling: isTelling) }
    if !settled.isEmpty { waiters = waiters.filter { isBusy($0.root, isTelling: isTelling) } }
    return settled
  }
}
