internal import LegoPublishers

/// The running and waiting effects of a store.
///
/// The store's code uses the following terms:
///
/// - An *entry* is one effect in the registry: a running publisher or task, or an effect that waits
///   for its turn. Each entry has a number.
/// - A *span* surrounds one start of an effect that has an ID or belongs to a part. It is opened
///   when the effect starts, and contains everything that the effect consists of. It is *closed*
///   when everything inside it has ended, or *cancelled* along with everything inside it. Spans can
///   be nested. An effect may start or send only while all spans around it are open. A ``Follow``
///   has a span as well, which stays open until it is cancelled.
/// - A *group* consists of the open spans of one ID, and of the entries that wait for one of these
///   spans to close. The spans of all effects of one part also form a group, which is cancelled
///   when the part is removed. The span of a ``Follow`` is in no group.
/// - The *root* of an effect is the number of the build that caused it. It is 0 for the effect of a
///   ``Follow`` or a change from a ``StoreLink``, and `UInt64.max` for an effect that
///   ``Adaptor/closing(_:)`` returned.
/// - A *hold* keeps a build from being over after an effect has been removed, until what follows
///   the effect has been performed. What follows may be the rest of a concatenation, or an effect
///   that was waiting for its turn.
///
/// The store's lock protects the registry. A method that removes an effect adds a hold to its root.
/// From then on, the effect can no longer send changes. Outside the lock, the caller then cancels
/// the effect's work, performs what follows with ``Lego/advance(_:isContinuing:)``, and releases
/// the hold.
@usableFromInline struct EffectRegistry: Sendable {
  /// A closure that starts an effect in a context.
  @usableFromInline typealias Start = @Sendable (EffectContext) -> Void

  /// An effect that waits for its turn.
  @usableFromInline struct Pending: Sendable {
    @usableFromInline let start: Start
    @usableFromInline let context: EffectContext

    @usableFromInline init(start: @escaping Start, context: EffectContext) {
      self.start = start
      self.context = context
    }
  }

  /// Effects that were removed because they were cancelled.
  ///
  /// Their work must still be cancelled outside the lock.
  @usableFromInline struct Ended: Sendable {
    @usableFromInline var runs: [EffectRun] = []
    @usableFromInline var pending: [Pending] = []

    /// The root of each effect.
    ///
    /// Each occurrence of a root stands for one hold, which the caller must release.
    @usableFromInline var roots: [UInt64] { runs.map(\.context.root) + pending.map(\.context.root) }

    @usableFromInline var isEmpty: Bool { runs.isEmpty && pending.isEmpty }

    static func += (left: inout Ended, right: Ended) {
      left.runs += right.runs
      left.pending += right.pending
    }
  }

  private enum Entry: Sendable {
    case running(EffectRun)
    case waiting(EffectID, Pending)

    var context: EffectContext {
      switch self {
      case .running(let run): run.context
      case .waiting(_, let pending): pending.context
      }
    }
  }

  /// The entries and holds of one root.
  private struct BuildEffects: Sendable {
    /// The numbers of the entries.
    var numbers: Set<UInt64> = []
    var holds = 0

    var isEmpty: Bool { numbers.isEmpty && holds == 0 }
  }

  /// A span that has been neither closed nor cancelled.
  private struct OpenSpan: Sendable {
    /// The spans around it.
    let outer: [EffectSpan]
    /// The numbers of the entries inside it.
    var numbers: Set<UInt64> = []
  }

  /// The open spans of one ID, and the entries that wait for one of them to close.
  private struct Group: Sendable {
    /// The numbers of the spans.
    var spans: Set<UInt64> = []
    /// The numbers of the waiting entries, and possibly of some that were cancelled.
    var queue = Queue<UInt64>()
    /// The number of waiting entries.
    var waiting = 0

    var isEmpty: Bool { spans.isEmpty && waiting == 0 }

    /// Records that one of the entries is no longer waiting.
    mutating func removeWaiting() {
      waiting -= 1
      // Without this, the numbers of cancelled entries would pile up while an effect keeps running.
      if waiting == 0 { queue = Queue() }
    }
  }

  private var entries: [UInt64: Entry] = [:]
  private var builds: [UInt64: BuildEffects] = [:]
  private var groups: [EffectID: Group] = [:]
  private var spans: [UInt64: OpenSpan] = [:]
  /// The removable parts that have effects.
  ///
  /// The value is the number of a change. The part is known to have existed continuously since that
  /// change.
  private var parts: [PartPath: UInt64] = [:]
  private var lastNumber: UInt64 = 0
  private var isClosed = false
  /// The number of running effects.
  private(set) var count = 0

  init() {}

  var isEmpty: Bool { entries.isEmpty && builds.isEmpty && groups.isEmpty }

  /// A Boolean value that indicates whether there are no holds.
  var isSettled: Bool { builds.values.allSatisfy { $0.holds == 0 } }

  /// The numbers and roots of the running effects, in the order in which they were started.
  var runs: [(number: UInt64, root: UInt64)] {
    entries.sorted { $0.key < $1.key }.compactMap { number, entry in
      if case .running(let run) = entry { (number, run.context.root) } else { nil }
    }
  }

  /// Returns `true` if all spans around an effect are open and the registry is not closed.
  @usableFromInline func isLive(_ context: EffectContext) -> Bool {
    !isClosed && areOpen(context.spans)
  }

  private func areOpen(_ spans: [EffectSpan]) -> Bool {
    spans.allSatisfy { self.spans[$0.number] != nil }
  }

  /// Returns `true` if an effect has neither ended nor been cancelled.
  ///
  /// The effect is identified by the number of its entry.
  @usableFromInline func isRunning(_ number: UInt64) -> Bool { entries[number] != nil }

  // MARK: - Effects

  /// Adds an entry for a publisher or task that is about to start.
  @usableFromInline mutating func add(_ context: EffectContext) -> EffectRun {
    let run = EffectRun(nextNumber(), in: context)
    insert(.running(run), as: run.number)
    count += 1
    return run
  }

  /// Removes an effect that has ended on its own, and adds a hold to its root.
  ///
  /// - Returns: `false` if the effect has already been cancelled.
  @usableFromInline mutating func finish(_ number: UInt64) -> Bool { remove(number) != nil }

  /// Cancels all effects, and prevents others from starting.
  mutating func close() -> Ended {
    isClosed = true
    return cancel(entries.keys)
  }

  private mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  private mutating func insert(_ entry: Entry, as number: UInt64) {
    entries[number] = entry
    builds[entry.context.root, default: BuildEffects()].numbers.insert(number)
    for span in entry.context.spans { spans[span.number]?.numbers.insert(number) }
  }

  /// Removes an entry, and adds a hold to its root.
  private mutating func remove(_ number: UInt64) -> Entry? {
    guard let entry = entries.removeValue(forKey: number) else { return nil }
    let context = entry.context
    builds[context.root]?.numbers.remove(number)
    builds[context.root]?.holds += 1
    for span in context.spans { spans[span.number]?.numbers.remove(number) }
    switch entry {
    case .running: count -= 1
    case .waiting(let id, _): groups[id]?.removeWaiting()
    }
    return entry
  }

  /// Cancels the effects with the given numbers, in the order in which they were added.
  private mutating func cancel(_ numbers: some Sequence<UInt64>) -> Ended {
    var ended = Ended()
    for number in numbers.sorted() {
      switch remove(number) {
      case .running(let run): ended.runs.append(run)
      case .waiting(let id, let pending):
        ended.pending.append(pending)
        forgetIfEmpty(id)
      case nil: break
      }
    }
    return ended
  }

  // MARK: - Builds

  /// Returns `true` if a build has entries or holds.
  @usableFromInline func contains(root: UInt64) -> Bool { builds[root] != nil }

  /// Cancels all effects of a build.
  mutating func cancel(root: UInt64) -> Ended { cancel(builds[root]?.numbers ?? []) }

  /// Releases a hold that was added when an effect was removed.
  @usableFromInline mutating func release(_ root: UInt64) {
    builds[root]?.holds -= 1
    if builds[root]?.isEmpty == true { builds[root] = nil }
    // Large tables are freed when they are empty.
    if builds.isEmpty, entries.isEmpty, entries.capacity > 64 { (entries, builds) = ([:], [:]) }
    if groups.isEmpty, groups.capacity > 64 { groups = [:] }
  }

  // MARK: - Spans

  /// Opens a span that is in no group and stays open until it is cancelled.
  mutating func openUngroupedSpan(_ id: EffectID) -> EffectSpan { addSpan(id, within: []) }

  /// Opens a span in the group of its ID.
  private mutating func openSpan(_ id: EffectID, within outer: [EffectSpan]) -> EffectSpan {
    let span = addSpan(id, within: outer)
    groups[id, default: Group()].spans.insert(span.number)
    return span
  }

  private mutating func addSpan(_ id: EffectID, within outer: [EffectSpan]) -> EffectSpan {
    let span = EffectSpan(id: id, number: nextNumber())
    spans[span.number] = OpenSpan(outer: outer)
    return span
  }

  /// Closes a span after everything inside it has ended, and removes the next effect from the queue
  /// of its group.
  ///
  /// - Returns: The effect to start and its new span, or `nil` if no effect was waiting. The
  ///   effect's root has a hold, which the caller must release.
  @usableFromInline mutating func closeSpan(_ span: EffectSpan) -> (Pending, EffectSpan)? {
    spans[span.number] = nil
    // A cancelled span is no longer in its group, so nothing waits for it to close.
    guard groups[span.id]?.spans.remove(span.number) != nil else { return nil }
    guard let next = nextWaiting(span.id), case .waiting(_, let pending) = remove(next) else {
      forgetIfEmpty(span.id)
      return nil
    }
    return (pending, openSpan(span.id, within: pending.context.spans))
  }

  /// Cancels a span and all effects inside it.
  mutating func cancelSpan(_ span: EffectSpan) -> Ended { cancelSpans([span.number]) }

  private mutating func cancelSpans(_ numbers: some Sequence<UInt64>) -> Ended {
    cancel(Set(numbers.flatMap { spans.removeValue(forKey: $0)?.numbers ?? [] }))
  }

  /// Removes and returns the number of the next effect in a group's queue, skipping cancelled ones.
  private mutating func nextWaiting(_ id: EffectID) -> UInt64? {
    while let number = groups[id]?.queue.popFirst() {
      if entries[number] != nil { return number }
    }
    return nil
  }

  private mutating func forgetIfEmpty(_ id: EffectID) {
    guard groups[id]?.isEmpty == true else { return }
    groups[id] = nil
    if id.use == .part { parts[id.part] = nil }
  }

  // MARK: - IDs

  /// Cancels the group of an ID, with all its running and waiting effects.
  mutating func cancel(_ id: EffectID) -> Ended {
    guard let group = groups.removeValue(forKey: id) else { return Ended() }
    if id.use == .part { parts[id.part] = nil }
    var ended = cancelSpans(group.spans)
    var (queue, waiting) = (group.queue, Set<UInt64>())
    while let number = queue.popFirst() { waiting.insert(number) }
    ended += cancel(waiting)
    return ended
  }

  /// The result of applying a policy to an effect that has an ID.
  @usableFromInline enum Admission: Sendable {
    /// The effect starts in a new span, and the given effects were cancelled to make room for it.
    case start(EffectSpan, ending: Ended)
    /// The effect waits, and the given waiting effect, if any, was cancelled to make room for it.
    case wait(insteadOf: Ended)
    /// The effect is dropped.
    case drop
  }

  /// Applies a policy to an effect that has an ID.
  @usableFromInline mutating func admit(_ id: EffectID, _ policy: EffectPolicy, _ pending: Pending)
    -> Admission
  {
    switch policy.kind {
    case .all: break
    case .companion(let other):
      if groups[other.within(pending.context.part)] == nil { return .drop }
    case .oldest(let overflow, let limit):
      if runningCount(id) < limit { break }
      if overflow == .discard { return .drop }
      wait(pending, id)
      return .wait(insteadOf: Ended())
    case .latest:
      if runningCount(id) == 0 { break }
      // At most one effect is waiting, and the new one replaces it.
      let earlier = cancel(nextWaiting(id).map { [$0] } ?? [])
      wait(pending, id)
      return .wait(insteadOf: earlier)
    case .newest(let limit):
      let surplus = runningSpans(id).sorted().dropLast(limit - 1)
      groups[id]?.spans.subtract(surplus)
      let span = openSpan(id, within: pending.context.spans)
      return .start(span, ending: cancelSpans(surplus))
    }
    return .start(openSpan(id, within: pending.context.spans), ending: Ended())
  }

  /// Returns the number of running effects with the given ID, plus those that are about to start
  /// because a running effect was cancelled.
  private func runningCount(_ id: EffectID) -> Int {
    guard let group = groups[id] else { return 0 }
    let running = runningSpans(id).count
    return running + min(group.spans.count - running, group.waiting)
  }

  /// Returns the numbers of the open spans of an ID that are not inside a cancelled span.
  private func runningSpans(_ id: EffectID) -> Set<UInt64> {
    (groups[id]?.spans ?? []).filter { spans[$0].map { areOpen($0.outer) } ?? false }
  }

  private mutating func wait(_ pending: Pending, _ id: EffectID) {
    let number = nextNumber()
    groups[id, default: Group()].queue.append(number)
    groups[id]?.waiting += 1
    insert(.waiting(id, pending), as: number)
  }

  // MARK: - Parts

  /// A Boolean value that indicates whether there are effects of parts that can be removed.
  @usableFromInline var hasParts: Bool { !parts.isEmpty }

  /// Returns `true` if a part has effects and is known to have existed continuously since the given
  /// change.
  func containsPart(_ part: PartPath, since number: UInt64) -> Bool {
    parts[part].map { $0 <= number } ?? false
  }

  /// Opens a span for an effect of a part.
  ///
  /// The part must have existed continuously since the change that triggered the effect.
  mutating func openSpan(ofPartIn context: EffectContext) -> EffectSpan {
    let part = context.part
    if part.canGo, parts[part] == nil { parts[part] = context.number }
    return openSpan(EffectID(part: part), within: context.spans)
  }

  /// Cancels the effects of all parts that a design does not contain.
  mutating func endMissingParts(of design: any Sendable) -> Ended {
    if parts.isEmpty { return Ended() }
    let missing = parts.keys.filter { !$0.exists(in: design) }
    return missing.reduce(into: Ended()) { $0 += cancel(EffectID(part: $1)) }
  }

  /// Cancels the effects of the parts at a place.
  ///
  /// - Parameters:
  ///   - place: The key path of the place, relative to the part that contains it.
  ///   - id: The ID of one part, or `nil` for all parts at the place.
  ///   - path: The path to the part that contains the place.
  /// - Returns: The cancelled effects.
  mutating func cancelParts(
    at place: any AnyKeyPath & Sendable, id: AnySendableHashable?, within path: PartPath
  ) -> Ended {
    let ids = groups.keys.filter { group in
      group.use == .part && group.part.leads(to: place, id: id, within: path)
    }
    return ids.reduce(into: Ended()) { $0 += cancel($1) }
  }
}
