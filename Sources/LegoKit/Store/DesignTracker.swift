public import Synchronization

/// What a store knows of those who read its design through `Observation`.
///
/// `Observation` registers a reader when the closure that reads has returned, and nothing says when
/// that is: neither the registrar nor the end of the closure can be hooked into. A change between
/// the read and the registration is told to nobody, so that the last change of another thread could
/// stay unseen for ever. So a change that comes soon after a tracked read is told once more, later.
/// It costs nothing where nobody tracks.
@usableFromInline final class DesignTracker: Sendable {
  /// How long after a read its registration may take, in nanoseconds.
  private static let moment: UInt64 = 250_000_000

  /// Whether a reader may be waiting to be told of a change.
  @usableFromInline let isWaitedFor = Atomic(false)
  let witness = TrackingWitness()
  private let lastRead = Atomic<UInt64>(0)
  private let lastUncertainRead = Atomic<UInt64>(0)
  private let uncertainReads = Atomic(0)
  private let lastChange = Atomic<UInt64>(0)
  private let isRepeating = Atomic(false)

  /// Notes that a reader was seen.
  func noteRead() {
    lastRead.store(Self.now, ordering: .sequentiallyConsistent)
    isWaitedFor.store(true, ordering: .sequentiallyConsistent)
  }

  /// Notes a read of which it is not known yet whether somebody tracks it.
  ///
  /// To find out takes a tenth of what a small program takes in all, so that the first few reads
  /// leave it to the next change, which may never come.
  func noteUncertainRead() {
    if uncertainReads.wrappingAdd(1, ordering: .relaxed).oldValue < 8 {
      lastUncertainRead.store(Self.now, ordering: .sequentiallyConsistent)
      isWaitedFor.store(true, ordering: .sequentiallyConsistent)
    } else if !TrackingWitness.isHashed {
      noteRead()
    }
  }

  /// Notes a change that is about to be told.
  ///
  /// - Returns: How long to wait until it is told again; `nil` when once is enough, or when a
  ///   repetition is under way.
  func noteChange() -> Duration? {
    let now = Self.now
    isWaitedFor.store(false, ordering: .sequentiallyConsistent)
    // Whoever reads after this line says so after it.
    var read = lastRead.load(ordering: .sequentiallyConsistent)
    let uncertain = lastUncertainRead.load(ordering: .sequentiallyConsistent)
    if uncertain > read, !TrackingWitness.isHashed { read = uncertain }
    guard now < read &+ Self.moment else { return nil }
    isWaitedFor.store(true, ordering: .sequentiallyConsistent)
    lastChange.store(now, ordering: .sequentiallyConsistent)
    let isFirst = !isRepeating.exchange(true, ordering: .sequentiallyConsistent)
    return isFirst ? .nanoseconds(Self.moment) : nil
  }

  /// How long the repetition has still to wait; `nil` when its time has come.
  func remaining() -> Duration? {
    isRepeating.store(false, ordering: .sequentiallyConsistent)
    let due = lastChange.load(ordering: .sequentiallyConsistent) &+ Self.moment
    let now = Self.now
    guard now < due, !isRepeating.exchange(true, ordering: .sequentiallyConsistent) else {
      return nil
    }
    return .nanoseconds(due - now)
  }

  private static let start = ContinuousClock.now

  /// Nanoseconds since some moment that counts as long ago.
  private static var now: UInt64 {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000) + 2 * moment
  }
}
