internal import Glibc
internal import LinuxDevices
internal import Synchronization

/// A budget for the processor time that observations use, regardless of the number of events.
///
/// In the long run, observations use at most a fifth of a processor, and less if each covers many
/// devices. After a quiet period, the first observations follow their events at once: a program
/// that opens a device often closes it soon afterwards, and users wait for both changes.
struct ScanBudget {
  /// The time when all observations so far have been paid for.
  private var paid = ContinuousClock.now

  /// The time that is charged for an observation, as a multiple of its processor time.
  static let share = 5
  /// The number of objects that increases the multiple by one.
  ///
  /// An observation of a thousand devices takes milliseconds, and leaves more than 99% of the time
  /// to others.
  static let objectsForOne = 8
  /// The maximum charge for the number of objects, which does not limit the charge for a long
  /// observation.
  static let longestRest = Duration.seconds(1)
  /// The time that observations may take beyond their share.
  let credit: Duration
  /// The number of objects in the latest observation, for the question with the most.
  var objectCount = 0

  init(ahead credit: Duration = .seconds(2)) { self.credit = credit }

  /// The earliest time of the next observation.
  var earliest: ContinuousClock.Instant { paid.advanced(by: .zero - credit) }

  /// Charges processor time that an observation or the handling of its result used until now.
  mutating func add(_ time: Duration) {
    let now = ContinuousClock.now
    add(from: now.advanced(by: .zero - time), to: now)
  }

  /// Charges the time of an observation or of the handling of its result.
  mutating func add(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
    let time = start.duration(to: end)
    let ofMany = min(time * (objectCount / Self.objectsForOne), Self.longestRest)
    paid = max(paid, start).advanced(by: max(time * Self.share, ofMany))
  }
}

/// The processor time of the calling thread.
///
/// Unlike elapsed time, it does not include waiting for a slow server or for a busy processor.
enum ThreadTime {
  /// The processor time since the thread started.
  static var now: Duration {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

/// Calls a closure when a time limit has passed.
final class Deadline: Sendable {
  private final class Flag: Sendable {
    let value: Atomic<Bool>

    init(_ value: Bool) { self.value = Atomic(value) }
  }

  /// The longest time limit.
  ///
  /// Longer limits are reduced to it, because the clock cannot represent every instant.
  private static let longest = Duration.seconds(100 * 366 * 86400)

  private let flag: Flag
  private let pause: OneShotTimer?

  /// Starts the time limit.
  ///
  /// - Parameters:
  ///   - limit: The time until the deadline, including time during which the system is suspended.
  ///   - body: Called at the deadline unless this object no longer exists. It must not block. If
  ///     the limit is not positive, it is not called.
  init(after limit: Duration, _ body: @escaping @Sendable () -> Void) {
    let flag = Flag(limit <= .zero)
    self.flag = flag
    pause =
      limit <= .zero
      ? nil
      : OneShotTimer(until: .now.advanced(by: min(limit, Self.longest))) {
        flag.value.store(true, ordering: .releasing)
        body()
      }
  }

  var isUp: Bool { flag.value.load(ordering: .acquiring) }
}
