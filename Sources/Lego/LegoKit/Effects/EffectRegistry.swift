internal import LegoPublishers

/// The effects of a store that are running or waiting, by number, build, span and ID.
///
/// The store's lock protects it. An effect that was removed can no longer send. The caller then
/// cancels its work outside the lock.
@usableFromInline struct EffectRegistry: Sendable {
  /// Starts an effect in a context.
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

  /// Effects that were removed.
  @usableFromInline struct Ended: Sendable {
    @usableFromInline var runs: [EffectRun] = []
    @usableFromInline var pending: [Pending] = []

    /// The builds of these effects.
    ///
    /// Each effect holds its build until it is released.
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

  /// The effects of one build.
  private struct BuildEffects: Sendable {
    var numbers: Set<UInt64> = []
    /// The number of ended effects whose successors have not started yet.
    var holds = 0

    var isEmpty: Bool { numbers.isEmpty && holds == 0 }
  }

  /// The spans of one ID, and the effects that wait for one of them to end.
  private struct Group: Sendable {
    var spans: Set<UInt64> = []
    /// The numbers of the waiting effects.
    ///
    /// Cancelled ones are skipped.
    var queue = Queue<UInt64>()
    var waiting = 0

    var isEmpty: Bool { spans.isEmpty && waiting == 0 }

    /// Notes that an effect no longer waits.
    mutating func noteRemoved() {
      waiting -= 1
      // The numbers of cancelled effects do not pile up while one effect keeps running.
      if waiting == 0 { queue = Queue() }
    }
  }

  private var entries: [UInt64: Entry] = [:]
  private var builds: [UInt64: BuildEffects] = [:]
  private var groups: [EffectID: Group] = [:]
  /// The effects inside each span that has not ended.
  private var spans: [UInt64: Set<UInt64>] = [:]
  /// The parts that can go and have effects, and the change since which each has existed.
  private var parts: [PartPath: UInt64] = [:]
  private var lastNumber: UInt64 = 0
  private var isClosed = false
  /// The number of running effects.
  private(set) var count = 0

  init() {}

  var isEmpty: Bool { entries.isEmpty && builds.isEmpty && groups.isEmpty }

  /// Returns `true` if everything that follows ended effects has started.
  var isSettled: Bool { builds.values.allSatisfy { $0.holds == 0 } }

  /// The running effects and their builds, in the order of their starts.
  var runs: [(number: UInt64, root: UInt64)] {
    entries.sorted { $0.key < $1.key }.compactMap { number, entry in
      if case .running(let run) = entry { (number, run.context.root) } else { nil }
    }
  }

  /// Returns `true` if no span around an effect has ended.
  @usableFromInline func isLive(_ context: EffectContext) -> Bool {
    !isClosed && context.spans.allSatisfy { spans[$0.number] != nil }
  }

  @usableFromInline func isRunning(_ number: UInt64) -> Bool { entries[number] != nil }

  // MARK: - Effects

  /// Adds an effect that starts now.
  @usableFromInline mutating func add(_ context: EffectContext) -> EffectRun {
    let run = EffectRun(nextNumber(), in: context)
    insert(.running(run), as: run.number)
    count += 1
    return run
  }

  /// Removes an effect that ended on its own, and keeps its build alive.
  ///
  /// - Returns: `false` if it was cancelled before.
  @usableFromInline mutating func finish(_ number: UInt64) -> Bool { remove(number) != nil }

  /// Ends all effects, and lets no other start.
  mutating func close() -> Ended {
    isClosed = true
    return end(entries.keys)
  }

  private mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  private mutating func insert(_ entry: Entry, as number: UInt64) {
    entries[number] = entry
    builds[entry.context.root, default: BuildEffects()].numbers.insert(number)
    for span in entry.context.spans { spans[span.number]?.insert(number) }
  }

  /// Removes an effect, and holds its build.
  private mutating func remove(_ number: UInt64) -> Entry? {
    guard let entry = entries.removeValue(forKey: number) else { return nil }
    let context = entry.context
    builds[context.root]?.numbers.remove(number)
    builds[context.root]?.holds += 1
    for span in context.spans { spans[span.number]?.remove(number) }
    switch entry {
    case .running: count -= 1
    case .waiting(let id, _): groups[id]?.noteRemoved()
    }
    return entry
  }

  /// Ends effects in the order of their arrival.
  private mutating func end(_ numbers: some Sequence<UInt64>) -> Ended {
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

  @usableFromInline func contains(root: UInt64) -> Bool { builds[root] != nil }

  /// Ends all effects of a build.
  mutating func cancel(root: UInt64) -> Ended { end(builds[root]?.numbers ?? []) }

  /// Releases a build that an ended effect has held.
  @usableFromInline mutating func release(_ root: UInt64) {
    builds[root]?.holds -= 1
    if builds[root]?.isEmpty == true { builds[root] = nil }
    // The tables of many effects are freed when all have ended.
    if builds.isEmpty, entries.isEmpty, entries.capacity > 64 { (entries, builds) = ([:], [:]) }
    if groups.isEmpty, groups.capacity > 64 { groups = [:] }
  }

  // MARK: - Spans

  /// Opens a span outside all groups, which ends only by ``end(_:)``.
  mutating func openSpan(_ id: EffectID) -> EffectSpan {
    let span = EffectSpan(id: id, number: nextNumber())
    spans[span.number] = []
    return span
  }

  /// Ends a span and all effects inside it.
  mutating func end(_ span: EffectSpan) -> Ended {
    end(spans.removeValue(forKey: span.number) ?? [])
  }

  private mutating func open(_ id: EffectID) -> EffectSpan {
    let span = openSpan(id)
    groups[id, default: Group()].spans.insert(span.number)
    return span
  }

  /// Notes that all effects inside a span have ended.
  ///
  /// - Returns: The effect that was waiting for that, whose build is held, and its span.
  @usableFromInline mutating func leave(_ span: EffectSpan) -> (Pending, EffectSpan)? {
    spans[span.number] = nil
    guard groups[span.id]?.spans.remove(span.number) != nil else { return nil }
    guard let next = nextWaiting(span.id), case .waiting(_, let pending) = remove(next) else {
      forgetIfEmpty(span.id)
      return nil
    }
    return (pending, open(span.id))
  }

  /// Removes the first effect from a group's queue that was not cancelled.
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

  /// Ends all effects of an ID.
  mutating func cancel(_ id: EffectID) -> Ended {
    guard let group = groups.removeValue(forKey: id) else { return Ended() }
    if id.use == .part { parts[id.part] = nil }
    var numbers = group.spans.flatMap { spans.removeValue(forKey: $0) ?? [] }
    var queue = group.queue
    while let number = queue.popFirst() { numbers.append(number) }
    return end(Set(numbers))
  }

  /// The decision about an effect that has an ID.
  @usableFromInline enum Admission: Sendable {
    /// It starts now, in a new span, and other effects end.
    case start(EffectSpan, ending: Ended)
    /// It waits.
    ///
    /// Others that were waiting end.
    case wait(insteadOf: Ended)
    case drop
  }

  /// Applies the policy of an effect with an ID.
  @usableFromInline mutating func admit(_ id: EffectID, _ policy: EffectPolicy, _ pending: Pending)
    -> Admission
  {
    let running = groups[id]?.spans.count ?? 0
    switch policy.kind {
    case .companion(let other) where groups[other.within(pending.context.part)] == nil:
      return .drop
    case .oldest(.discard, let limit) where running >= limit:
      return .drop
    case .oldest(.suspend, let limit) where running >= limit:
      wait(pending, id)
      return .wait(insteadOf: Ended())
    case .latest where running > 0:
      // At most one effect is waiting.
      let earlier = end(nextWaiting(id).map { [$0] } ?? [])
      wait(pending, id)
      return .wait(insteadOf: earlier)
    case .newest(let limit) where running >= limit:
      let surplus = (groups[id]?.spans ?? []).sorted().prefix(running - limit + 1)
      groups[id]?.spans.subtract(surplus)
      let span = open(id)
      return .start(span, ending: end(surplus.flatMap { spans.removeValue(forKey: $0) ?? [] }))
    case .all, .newest, .oldest, .latest, .companion:
      return .start(open(id), ending: Ended())
    }
  }

  private mutating func wait(_ pending: Pending, _ id: EffectID) {
    let number = nextNumber()
    groups[id, default: Group()].queue.append(number)
    groups[id]?.waiting += 1
    insert(.waiting(id, pending), as: number)
  }

  // MARK: - Parts

  /// A Boolean value that indicates whether a part that can go has effects.
  @usableFromInline var hasParts: Bool { !parts.isEmpty }

  /// Returns `true` if a part has effects and has existed since a change.
  func containsPart(_ part: PartPath, since number: UInt64) -> Bool {
    parts[part].map { $0 <= number } ?? false
  }

  /// Opens a span for an effect of a part.
  mutating func openPart(_ part: PartPath, since number: UInt64) -> EffectSpan {
    if part.canGo, parts[part] == nil { parts[part] = number }
    return open(EffectID(part: part))
  }

  /// Ends the effects of all parts that a design does not contain.
  mutating func endMissingParts(of design: any Sendable) -> Ended {
    if parts.isEmpty { return Ended() }
    let missing = parts.keys.filter { !$0.exists(in: design) }
    return missing.reduce(into: Ended()) { $0 += cancel(EffectID(part: $1)) }
  }

  /// Ends the effects of the parts at a place.
  ///
  /// - Parameters:
  ///   - place: The place, as seen from the part around it.
  ///   - id: The ID of one part, or `nil` for all parts at the place.
  ///   - path: The path to the part around the place.
  /// - Returns: The effects.
  mutating func cancelParts(
    at place: any AnyKeyPath & Sendable, id: AnySendableHashable?, within path: PartPath
  ) -> Ended {
    let ids = groups.keys.filter { group in
      group.use == .part && group.part.leads(to: place, id: id, within: path)
    }
    return ids.reduce(into: Ended()) { $0 += cancel($1) }
  }
}
