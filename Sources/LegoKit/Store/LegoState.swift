/// The state of a store: its design, what has to be told, and what is under way.
///
/// Changes are applied one at a time under the store's lock. Telling them happens outside it, by
/// one thread at a time: the one that found nobody telling. All others leave their records in
/// the queue.
@usableFromInline struct LegoState<B: Blueprint>: Sendable {
  @usableFromInline typealias Record = LegoKit.Record<B.Design, B.Change>
  @usableFromInline typealias ObserverList = LegoKit.ObserverList<B.Design, B.Change>
  @usableFromInline typealias Observer = LegoKit.Observer<B.Design, B.Change>

  @usableFromInline var design: B.Design
  /// How many changes were applied.
  @usableFromInline var number: UInt64 = 0
  @usableFromInline var observers: ObserverList?
  /// The root of the record that is being told now, or was told last.
  @usableFromInline var notifying: UInt64 = 0
  @usableFromInline var queue = Queue<Record>()
  /// The number of the change that left the queue last.
  @usableFromInline var dequeued: UInt64 = 0
  private let notifiesAlways: Bool
  /// Whether an adaptor wants the design before a change.
  let keepsBefore: Bool
  /// What changes do instead of the blueprint alone, where it is made of parts.
  let rules: Rules<B>?
  /// Whether more has to be seen to at a change than the blueprint.
  @usableFromInline var needsCare: Bool
  /// Those who are shown each new design under the lock, until they answer that it was the last.
  var watchers: [@Sendable (B.Design) -> Bool] = []
  /// What the last change leaves to be done outside the lock.
  @usableFromInline var aftermath: Aftermath<B>?
  /// The parts that may go, and in which effects are under way.
  var parts = EffectParts<B.Design>()
  /// Sees each change, for tests.
  let hook: ChangeHook<B.Design, B.Change>?
  /// What observes the design for the effects that follow from it since the store was made.
  var followers: [Observer] = []
  var effects = EffectRegistry<B>()
  @usableFromInline var waiters: [UInt64: Waiters] = [:]
  /// The builds that were cancelled while changes that they caused were in the queue, with the
  /// number of the last change that adaptors are not to answer.
  @usableFromInline var cancelled: [UInt64: UInt64] = [:]

  /// Creates the state of a store.
  ///
  /// - Parameters:
  ///   - design: The first design.
  ///   - notifiesAlways: Whether changes are told even when nobody observes.
  ///   - keepsBefore: Whether an adaptor wants the design before a change.
  ///   - rules: What changes do instead of the blueprint alone.
  ///   - hasParts: Whether effects may belong to parts that can go.
  ///   - hook: Sees each change under the lock.
  init(
    design: B.Design, notifiesAlways: Bool, keepsBefore: Bool = false, rules: Rules<B>? = nil,
    hasParts: Bool = false, hook: ChangeHook<B.Design, B.Change>? = nil
  ) {
    self.hook = hook
    self.design = design
    self.notifiesAlways = notifiesAlways
    self.keepsBefore = keepsBefore
    self.rules = rules
    needsCare = rules != nil || hasParts || keepsBefore || hook != nil
    observers = notifiesAlways ? ObserverList([]) : nil
  }

  /// Applies a change, where the blueprint is all that has to be seen to.
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
  ) -> ObserverList? {
    number += 1
    guard let observers else {
      blueprint.change(&design, on: change)
      return nil
    }
    if observers.comparesDesigns { before = design }
    blueprint.change(&design, on: change)
    return handOver(change, root: root, to: observers, turn, before, &after)
  }

  /// Notes that a change was applied, and finds who tells it.
  @inlinable @inline(__always) mutating func handOver(
    _ change: B.Change, root: UInt64?, to observers: ObserverList, _ turn: borrowing Turn,
    _ before: B.Design?, _ after: inout B.Design?
  ) -> ObserverList? {
    if turn.take() {
      after = design
      notifying = root ?? number
      return observers
    }
    queue.append(
      Record(
        ChangeNotification(change, number: number, root: root ?? number), before, design, observers)
    )
    if !waiters.isEmpty { waiters[root ?? number]?.lastQueued = number }
    guard turn.want() else { return nil }
    // The one that told has just ended, so that the queue holds nothing but this record.
    _ = next(turn)
    turn.clear()
    after = design
    return observers
  }

  /// The next record to tell, or `nil` when there is none now.
  @inlinable mutating func next(_ turn: borrowing Turn) -> Record? {
    guard var record = queue.popFirst() else {
      turn.clear()
      return nil
    }
    notifying = record.notification.root
    dequeued = record.notification.number
    if !cancelled.isEmpty { passOver(&record) }
    return record
  }

  mutating func add(_ observer: Observer) {
    observers = (observers ?? ObserverList([])).adding(observer)
  }

  mutating func remove(_ observer: Observer) {
    guard let remaining = observers?.removing(observer) else { return }
    observers = remaining.all.isEmpty && !notifiesAlways ? nil : remaining
  }

  /// Makes the adaptors pass over a change whose build was cancelled while it was in the queue.
  @usableFromInline mutating func passOver(_ record: inout Record) {
    if let last = cancelled[record.notification.root], record.notification.number <= last {
      record.notification.isAnswered = false
    }
    if queue.isEmpty { cancelled = [:] }
  }

  /// Ends all that a build caused.
  mutating func cancel(_ root: UInt64, isNotifying: Bool) -> EffectRegistry<B>.Ended {
    if !queue.isEmpty { cancelled[root] = number }
    return effects.cancel(root: root, isNotifying: isNotifying && notifying == root)
  }

  /// Whether a build was cancelled, as far as anything of it can still come.
  @usableFromInline func isCancelled(_ root: UInt64) -> Bool { effects.isCancelled(root) }

  /// Whether anything that a build caused is still under way.
  private func isBusy(_ root: UInt64, lastQueued: UInt64, isNotifying: Bool) -> Bool {
    isNotifying && notifying == root || lastQueued > dequeued || effects.contains(root: root)
  }

  /// Adds one who waits for a build.
  mutating func add(_ continuation: CheckedContinuation<Void, Never>, for root: UInt64) {
    if waiters[root] == nil {
      let last = queue.last { $0.notification.root == root }
      waiters[root] = Waiters(lastQueued: last?.notification.number ?? 0)
    }
    waiters[root]?.continuations.append(continuation)
  }

  /// Whether anyone waits.
  var hasWaiters: Bool { !waiters.isEmpty }

  /// Takes those who wait for a build, if it is over.
  mutating func takeSettledWaiters(of root: UInt64, isNotifying: Bool) -> Waiters? {
    guard let waiting = waiters[root],
      !isBusy(root, lastQueued: waiting.lastQueued, isNotifying: isNotifying)
    else { return nil }
    waiters[root] = nil
    return waiting
  }
}
