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
  }

  private var runs: [UInt64: EffectRun<B>] = [:]
  private var groups: [EffectID: Group] = [:]
  private var numbers: UInt64 = 0

  var isEmpty: Bool { runs.isEmpty && groups.isEmpty }

  var count: Int { runs.count }

  mutating func nextNumber() -> UInt64 {
    numbers += 1
    return numbers
  }

  mutating func add(_ context: EffectContext<B>, of lego: Lego<B>) -> EffectRun<B> {
    let run = EffectRun(nextNumber(), in: context, of: lego)
    // An effect whose id was cancelled before it could start does not start.
    guard context.scopes.allSatisfy({ $0.isLive.load(ordering: .relaxed) }) else {
      run.isLive.store(false, ordering: .releasing)
      return run
    }
    runs[run.number] = run
    return run
  }

  mutating func remove(_ run: EffectRun<B>) -> EffectRun<B>? {
    run.isLive.store(false, ordering: .releasing)
    let removed = runs.removeValue(forKey: run.number)
    // A burst must not keep its memory for good.
    if runs.isEmpty, runs.capacity > 64 { runs = [:] }
    return removed
  }

  func contains(root: UInt64) -> Bool {
    runs.values.contains { $0.context.root == root }
      || groups.values.contains { $0.waiting.contains { $0.context.root == root } }
  }

  /// Ends the effects that match.
  mutating func end(where matches: (EffectContext<B>) -> Bool) -> Ended {
    var ended = Ended(runs: runs.values.filter { matches($0.context) })
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
      return .start(scope, ending: end(scopes: surplus))
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
