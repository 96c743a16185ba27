internal import LinuxDevices
internal import Synchronization

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
  private let pause: Pause?

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
      : Pause(until: .now.advanced(by: min(limit, Self.longest))) {
        flag.value.store(true, ordering: .releasing)
        body()
      }
  }

  var isUp: Bool { flag.value.load(ordering: .acquiring) }
}
