internal import Synchronization

/// The effects under way, and those that wait for room.
///
/// Each is found by its number, by the build that caused it and by the ids around it, so that
/// what is asked of one costs the same however many others there are.
struct EffectRegistry: Sendable {
  /// An effect that waits for room.
  struct Pending: Sendable {
    let effects: EffectStart
    let context: EffectContext
  }

  /// What was ended, to be cancelled outside the lock.
  struct Ended: Sendable {
    var runs: [EffectRun] = []
    /// The effects that waited; what follows them has to be told.
    var pending: [Pending] = []

    /// The builds of these effects, each as often as it is held.
    var roots: [UInt64] { runs.map(\.context.root) + pending.map(\.context.root) }

    var isEmpty: Bool { runs.isEmpty && pending.isEmpty }

    static func += (left: inout Ended, right: Ended) {
      left.runs += right.runs
      left.pending += right.pending
    }
  }

  private enum Item: Sendable {
    case run(EffectRun)
    // In memory of its own, so that the many that run are copied fast.
    indirect case waiting(EffectID, Pending)

    var context: EffectContext {
      switch self {
      case .run(let run): run.context
      case .waiting(_, let pending): pending.context
      }
    }
  }

  private var items = NumberTable<Item>()
  private var roots = NumberTable<EffectRoot>()
  private(set) var groups: [EffectID: EffectGroup] = [:]
  private var numbers: UInt64 = 0
  /// A build that was cancelled while its change was told: its adaptors may be about to answer.
  private var cancelledNotification: UInt64?
  /// How many of the builds under way were cancelled.
  private var cancelledRoots = 0
  /// Whether no effect starts any more.
  private var isClosed = false
  /// How many effects run.
  private(set) var count = 0

  var isEmpty: Bool { items.isEmpty && roots.isEmpty && groups.isEmpty }

  /// Whether what follows the effects that have ended has started.
  var isSettled: Bool { roots.all.allSatisfy { $0.value.holds == 0 } }

  /// The numbers of the running effects, each with the build that caused it, in order.
  var runs: [(number: UInt64, root: UInt64)] {
    items.all.sorted { $0.key < $1.key }.compactMap { number, item in
      if case .run(let run) = item { (number, run.context.root) } else { nil }
    }
  }

  mutating func nextNumber() -> UInt64 {
    numbers += 1
    return numbers
  }

  // MARK: - Effects

  mutating func add(_ context: EffectContext, of ledger: EffectLedger) -> EffectRun {
    let run = EffectRun(nextNumber(), in: context, of: ledger)
    // An effect whose build or id was cancelled before it could start does not start.
    guard !isClosed, !isCancelled(context.root), context.isLive else {
      run.live.store(false, ordering: .releasing)
      return run
    }
    insert(.run(run), as: run.number)
    count += 1
    return run
  }

  /// Forgets an effect that has ended by itself.
  ///
  /// - Parameters:
  ///   - run: The effect.
  ///   - isHeld: Whether its build is held until ``release(_:)``.
  /// - Returns: Whether it was there.
  mutating func finish(_ run: EffectRun, isHeld: Bool) -> Bool {
    remove(run.number, isHeld: isHeld) != nil
  }

  private mutating func insert(_ item: Item, as number: UInt64) {
    let context = item.context
    items.insert(item, for: number)
    update(context.root) { $0.effects.insert(number) }
    for scope in context.scopes { scope.effects.withLock { $0.insert(number) } }
  }

  /// Takes an effect out, and holds its build until ``release(_:)`` if that is wanted.
  private mutating func remove(_ number: UInt64, isHeld: Bool = true) -> Item? {
    guard let item = items.remove(number) else { return nil }
    if case .run(let run) = item {
      run.live.store(false, ordering: .releasing)
      count -= 1
    }
    let context = item.context
    update(context.root) { root in
      root.effects.remove(number)
      if isHeld { root.holds += 1 }
    }
    for scope in context.scopes { scope.effects.withLock { $0.remove(number) } }
    return item
  }

  /// Ends effects, in the order they came.
  private mutating func end(_ numbers: [UInt64]) -> Ended {
    var ended = Ended()
    for number in numbers.sorted() {
      switch remove(number) {
      case .run(let run):
        ended.runs.append(run)
      case .waiting(let id, let pending):
        ended.pending.append(pending)
        if var group = groups.removeValue(forKey: id) {
          group.noteCancelled()
          put(group, id)
        }
      case nil:
        break
      }
    }
    return ended
  }

  /// Ends all effects, and lets no other start.
  mutating func close() -> Ended {
    isClosed = true
    return endAll()
  }

  /// Ends all effects.
  mutating func endAll() -> Ended { end(items.keys) }

  // MARK: - Builds

  /// Whether anything of a build is under way, or about to start.
  func contains(root: UInt64) -> Bool { roots.contains(root) }

  /// Whether a build was cancelled, as far as anything of it can still come.
  func isCancelled(_ root: UInt64) -> Bool {
    root == cancelledNotification || cancelledRoots > 0 && roots[root]?.isCancelled ?? false
  }

  /// Whether any build was cancelled of which something can still come.
  var hasCancelled: Bool { cancelledNotification != nil || cancelledRoots > 0 }

  /// Lets go of a build that an ended effect held.
  mutating func release(_ root: UInt64) {
    if roots.contains(root) { update(root) { $0.holds -= 1 } }
  }

  /// Changes what is known of a build, and forgets it when it is over.
  ///
  /// It is taken out meanwhile, because changing it in its place would allocate.
  private mutating func update(_ root: UInt64, _ change: (inout EffectRoot) -> Void) {
    var entry = roots.remove(root) ?? EffectRoot()
    change(&entry)
    if !entry.isOver {
      roots.insert(entry, for: root)
    } else if entry.isCancelled {
      cancelledRoots -= 1
    }
  }

  /// Forgets the build that was cancelled while its change was told, once that is over.
  mutating func forgetCancelledNotification(except notifying: UInt64) {
    if cancelledNotification != notifying { cancelledNotification = nil }
  }

  /// Ends all effects of a build; what is about to follow them does not start.
  ///
  /// - Parameters:
  ///   - root: The build.
  ///   - isNotifying: Whether a change that it caused is being told.
  /// - Returns: What was ended.
  mutating func cancel(root: UInt64, isNotifying: Bool) -> Ended {
    if isNotifying { cancelledNotification = root }
    guard let entry = roots[root] else { return Ended() }
    if !entry.isCancelled { cancelledRoots += 1 }
    update(root) { $0.isCancelled = true }
    return end(entry.effects.all)
  }

  // MARK: - Ids

  /// Ends all effects of an id.
  mutating func cancel(_ id: EffectID) -> Ended {
    guard var group = groups.removeValue(forKey: id) else { return Ended() }
    var numbers = end(Array(group.scopes.values))
    while let number = group.next(where: { items.contains($0) }) { numbers.append(number) }
    return end(numbers)
  }

  /// Ends all effects of a scope, and lets no other start in it.
  mutating func end(_ scope: EffectScope) -> Ended { end(end([scope])) }

  /// Marks scopes as ended.
  ///
  /// - Returns: The numbers of the effects within.
  private func end(_ scopes: [EffectScope]) -> [UInt64] {
    for scope in scopes { scope.isLive.store(false, ordering: .releasing) }
    return scopes.flatMap { scope in scope.effects.withLock { $0.all } }
  }

  /// Takes a group out to change it; changing it in its place would allocate.
  private mutating func takeGroup(_ id: EffectID) -> EffectGroup {
    groups.removeValue(forKey: id) ?? EffectGroup()
  }

  /// Puts a group back, unless it is empty.
  private mutating func put(_ group: EffectGroup, _ id: EffectID) {
    if !group.isEmpty { groups[id] = group }
    if groups.isEmpty, groups.capacity > 64 { groups = [:] }
  }

  /// What to do with an effect that comes with an id.
  enum Admission: Sendable {
    /// It starts now, and these end.
    case start(EffectScope, ending: Ended)
    /// It waits, in the place of these.
    case wait(insteadOf: Ended)
    case drop
  }

  mutating func admit(_ id: EffectID, _ policy: EffectPolicy, _ pending: Pending) -> Admission {
    if isClosed || isCancelled(pending.context.root) || !pending.context.isLive { return .drop }
    let running = groups[id]?.scopes.count ?? 0
    switch policy.kind {
    case .companion(let other) where groups[other.within(pending.context.way)] == nil:
      return .drop
    case .oldest(.discard, let limit) where running >= limit:
      return .drop
    case .oldest(.suspend, let limit) where running >= limit:
      wait(pending, id)
      return .wait(insteadOf: Ended())
    case .latest where running > 0:
      // There is one at most.
      var group = takeGroup(id)
      let earlier = group.next { items.contains($0) }
      put(group, id)
      let ended = end(earlier.map { [$0] } ?? [])
      wait(pending, id)
      return .wait(insteadOf: ended)
    case .newest(let limit) where running >= limit:
      var group = takeGroup(id)
      let surplus = group.takeOldest(running - limit + 1)
      put(group, id)
      let scope = open(id)
      return .start(scope, ending: end(end(surplus)))
    case .all, .newest, .oldest, .latest, .companion:
      return .start(open(id), ending: Ended())
    }
  }

  mutating func open(_ id: EffectID) -> EffectScope {
    let scope = EffectScope(id, number: nextNumber())
    var group = takeGroup(id)
    group.add(scope)
    put(group, id)
    return scope
  }

  private mutating func wait(_ pending: Pending, _ id: EffectID) {
    let number = nextNumber()
    var group = takeGroup(id)
    group.wait(number)
    put(group, id)
    insert(.waiting(id, pending), as: number)
  }

  /// Ends a scope whose effects have all ended.
  ///
  /// - Returns: The effect that there is room for now, whose build is held, and its scope.
  mutating func leave(_ scope: EffectScope) -> (Pending, EffectScope)? {
    guard var group = groups.removeValue(forKey: scope.id) else { return nil }
    let next = group.remove(scope) ? group.next { items.contains($0) } : nil
    put(group, scope.id)
    guard let next, case .waiting(_, let pending) = remove(next) else { return nil }
    return (pending, open(scope.id))
  }
}
