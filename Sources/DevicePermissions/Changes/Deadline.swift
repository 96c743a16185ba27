internal import LinuxDevices
internal import Synchronization

/// A time after which something ends.
final class Deadline: Sendable {
  private final class Flag: Sendable {
    let value: Atomic<Bool>

    init(_ value: Bool) { self.value = Atomic(value) }
  }

  /// Nobody sees the end of a longer time, and the clock does not count as far as the longest one.
  private static let longest = Duration.seconds(100 * 366 * 86400)

  private let flag: Flag
  private let pause: Pause?

  /// - Parameters:
  ///   - limit: How long it is until then; time that the system sleeps counts.
  ///   - body: What to do then, which must not wait; not where the time was up from the beginning.
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
