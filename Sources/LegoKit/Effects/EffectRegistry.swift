internal import Synchronization

/// The effects under way, and those that wait for room.
struct EffectRegistry<B: Blueprint>: Sendable {
  /// An effect that waits for room.
  struct Pending: Sendable {
    let effect: Effect<B.Change>
    let context: EffectContext<B>
  }

  /// The effects of one id.
  private struct Group: Sendable {
    var scopes: [EffectScope] = []
    var waiting: [Pending] = []
  }

  /// What was ended, to be cancelled outside the lock.
  struct Ended: Sendable {
    var runs: [EffectRun<B>] = []
    /// The effects that waited; what follows them has to be told.
    var pending: [Pending] = []
    /// Whether the registry counts on ``EffectRegistry/finishTransition()`` afterwards.
    var isTransition = false
  }

  private var runs: [UInt64: EffectRun<B>] = [:]
  private var groups: [EffectID: Group] = [:]
  private var numbers: UInt64 = 0
  /// How many effects have ended while what follows them has not started yet.
  ///
  /// In between nothing of a build may be under way although it is not over.
  private var transitions = 0
  /// The builds that were cancelled while something of them may be about to start.
  private var cancelledRoots: Set<UInt64> = []

  var isEmpty: Bool { runs.isEmpty && groups.isEmpty }

  var count: Int { runs.count }

  mutating func nextNumber() -> UInt64 {
    numbers += 1
    return numbers
  }

  mutating func add(_ context: EffectContext<B>, of lego: Lego<B>) -> EffectRun<B> {
    let run = EffectRun(nextNumber(), in: context, of: lego)
    // An effect whose id was cancelled before it could start does not start.
    guard !cancelledRoots.contains(context.root),
      context.scopes.allSatisfy({ $0.isLive.load(ordering: .relaxed) })
    else {
      run.isLive.store(false, ordering: .releasing)
      return run
    }
    runs[run.number] = run
    return run
  }

  /// Forgets an effect that has ended by itself.
  ///
  /// - Returns: Whether it was there; then a transition has begun.
  mutating func finish(_ run: EffectRun<B>) -> Bool {
    guard remove(run) != nil else { return false }
    transitions += 1
    return true
  }

  /// Notes that what follows has started.
  ///
  /// - Parameter isTelling: Whether an adaptor may be about to answer.
  mutating func finishTransition(isTelling: Bool) {
    transitions -= 1
    if transitions == 0, !isTelling, !cancelledRoots.isEmpty { cancelledRoots = [] }
  }

  /// Ends all effects of a build; what is about to follow them does not start.
  mutating func cancel(root: UInt64) -> Ended {
    cancelledRoots.insert(root)
    return end { $0.root == root }
  }

  private mutating func remove(_ run: EffectRun<B>) -> EffectRun<B>? {
    run.isLive.store(false, ordering: .releasing)
    let removed = runs.removeValue(forKey: run.number)
    // A burst must not keep its memory for good.
    if runs.isEmpty, runs.capacity > 64 { runs = [:] }
    return removed
  }

  /// Whether anything of a build is under way, or may be.
  func contains(root: UInt64) -> Bool {
    transitions > 0 || runs.values.contains { $0.context.root == root }
      || groups.values.contains { $0.waiting.contains { $0.context.root == root } }
  }

  /// Ends all effects.
  mutating func endAll() -> Ended { end { _ in true } }

  private mutating func end(where matches: (EffectContext<B>) -> Bool) -> Ended {
    transitions += 1
    var ended = Ended(
      runs: runs.values.filter { matches($0.context) }, isTransition: true)
    ended.runs.sort { $0.number < $1.number }
    for run in ended.runs { _ = remove(run) }
    for id in groups.keys {
      guard let waiting = groups[id]?.waiting.filter({ matches($0.context) }), !waiting.isEmpty
      else { continue }
      ended.pending += waiting
      groups[id]?.waiting.removeAll { matches($0.context) }
    }
    return ended
  }

  /// Ends all effects of an id.
  mutating func cancel(_ id: EffectID) -> Ended {
    guard let group = groups.removeValue(forKey: id) else { return Ended() }
    var ended = end(scopes: group.scopes)
    ended.pending += group.waiting
    return ended
  }

  /// What to do with an effect that comes with an id.
  enum Admission: Sendable {
    /// It starts now, and these end.
    case start(EffectScope, ending: Ended)
    /// It waits, in the place of this one.
    case wait(insteadOf: Pending?)
    case drop
  }

  mutating func admit(_ id: EffectID, _ policy: EffectPolicy, _ pending: Pending) -> Admission {
    var group = groups[id] ?? Group()
    defer { if !group.scopes.isEmpty || !group.waiting.isEmpty { groups[id] = group } }
    switch policy.kind {
    case .oldest(.discard, let limit) where group.scopes.count >= limit:
      return .drop
    case .oldest(.suspend, let limit) where group.scopes.count >= limit:
      group.waiting.append(pending)
      return .wait(insteadOf: nil)
    case .latest where !group.scopes.isEmpty:
      let earlier = group.waiting.popLast()
      group.waiting = [pending]
      return .wait(insteadOf: earlier)
    case .newest(let limit) where group.scopes.count >= limit:
      let surplus = Array(group.scopes.prefix(group.scopes.count - limit + 1))
      group.scopes.removeFirst(surplus.count)
      let scope = EffectScope(id)
      group.scopes.append(scope)
      // The end of the surplus may touch this very group.
      groups[id] = group
      let ended = end(scopes: surplus)
      group = groups[id] ?? group
      return .start(scope, ending: ended)
    case .all, .newest, .oldest, .latest:
      let scope = EffectScope(id)
      group.scopes.append(scope)
      return .start(scope, ending: Ended())
    }
  }

  /// Ends a scope whose effects have all ended.
  ///
  /// - Returns: The effect that there is room for now, and its scope.
  mutating func leave(_ scope: EffectScope) -> (Pending, EffectScope)? {
    guard var group = groups[scope.id], let index = group.scopes.firstIndex(where: { $0 === scope })
    else { return nil }
    group.scopes.remove(at: index)
    var started: (Pending, EffectScope)?
    if !group.waiting.isEmpty {
      let next = EffectScope(scope.id)
      group.scopes.append(next)
      started = (group.waiting.removeFirst(), next)
    }
    groups[scope.id] = group.scopes.isEmpty && group.waiting.isEmpty ? nil : group
    if groups.isEmpty, groups.capacity > 64 { groups = [:] }
    return started
  }

  private mutating func end(scopes: [EffectScope]) -> Ended {
    for scope in scopes { scope.isLive.store(false, ordering: .releasing) }
    return end { context in context.scopes.contains { scope in scopes.contains { $0 === scope } } }
  }
}
