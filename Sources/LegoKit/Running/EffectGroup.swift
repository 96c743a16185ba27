/// The effects of one id: those that run, each in a scope, and those that wait for room.
struct EffectGroup: Sendable {
  /// The scopes by their numbers, which grow.
  private(set) var scopes: [UInt64: EffectScope] = [:]
  /// The numbers of those that wait; one that was cancelled is passed over when its turn comes.
  private var queue = Queue<UInt64>()
  /// How many wait, the cancelled ones left out.
  private var waiting = 0

  var isEmpty: Bool { scopes.isEmpty && waiting == 0 }

  mutating func add(_ scope: EffectScope) {
    scopes[scope.number] = scope
  }

  /// Takes a scope out.
  ///
  /// - Returns: Whether it was there.
  mutating func remove(_ scope: EffectScope) -> Bool {
    scopes.removeValue(forKey: scope.number) != nil
  }

  /// Takes the oldest scopes out.
  mutating func takeOldest(_ count: Int) -> [EffectScope] {
    scopes.keys.sorted().prefix(count).compactMap { scopes.removeValue(forKey: $0) }
  }

  mutating func wait(_ number: UInt64) {
    queue.append(number)
    waiting += 1
  }

  /// Notes that one that waited was cancelled.
  mutating func noteCancelled() {
    waiting -= 1
    if waiting == 0 { queue = Queue() }
  }

  /// Takes the first that waits and passes a test: a cancelled one does not.
  mutating func next(where isWaiting: (UInt64) -> Bool) -> UInt64? {
    while let number = queue.popFirst() {
      guard isWaiting(number) else { continue }
      waiting -= 1
      return number
    }
    return nil
  }
}
