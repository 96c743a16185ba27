/// Which change of each build came last into a store's queue.
///
/// It is found out only when someone asks, and each change in the queue is looked at once, however
/// many ask: a walk through the queue for each would hold up those who build and tell meanwhile.
@usableFromInline struct QueuedRoots: Sendable {
  /// The number of the last change in the queue by the build that caused it; the change may have
  /// left the queue since.
  private var numbers: [UInt64: UInt64] = [:]
  /// The number of the newest change that was looked at.
  private var newest: UInt64 = 0

  @usableFromInline init() {}

  /// How many builds are kept.
  var count: Int { numbers.count }

  /// Whether nothing is kept.
  @usableFromInline var isEmpty: Bool { numbers.isEmpty }

  /// The number of the last change that a build caused; zero when none is known.
  ///
  /// - Parameters:
  ///   - root: The build.
  ///   - queue: The changes in the queue, the newest first.
  ///   - oldest: The number of the change that leaves the queue next.
  /// - Returns: The number.
  mutating func last(
    of root: UInt64, in queue: some Sequence<(number: UInt64, root: UInt64)>, from oldest: UInt64
  ) -> UInt64 {
    var first: UInt64?
    for (number, root) in queue {
      if number <= newest { break }
      first = first ?? number
      if numbers[root, default: 0] < number { numbers[root] = number }
    }
    newest = first ?? newest
    forget(before: oldest)
    return numbers[root] ?? 0
  }

  /// Forgets most of what has left the queue, once that is more than what is in it.
  private mutating func forget(before oldest: UInt64) {
    guard newest >= oldest, numbers.count > 64, numbers.count / 2 > newest - oldest else { return }
    numbers = numbers.filter { $0.value >= oldest }
  }
}
