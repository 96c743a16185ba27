internal import AccessModel
internal import Synchronization

/// Triggers two more scans after an event.
///
/// The kernel reports an open before the process has its descriptor. A program maps its buffers
/// some time after it has opened a camera, which causes no event.
final class SettlingLooks: Sendable {
  /// The delays in milliseconds, each from the previous scan.
  private static let delays: [Int32] = [100, 900]
  /// The minimum time between an event and the last scan, unless another event occurs.
  static let duration = Duration.milliseconds(900)

  private final class Step: Sendable {
    let value = Atomic<Int>(0)
  }

  private let step: Step
  private let alarm: Alarm

  /// Creates an inactive timer.
  ///
  /// - Parameter signal: The continuation that receives a value for each scan.
  /// - Throws: `EMFILE` if no descriptor is available, or the error that a seccomp filter returns.
  init(_ signal: AsyncStream<Void>.Continuation) throws(Errno) {
    let step = Step()
    self.step = step
    alarm = try Alarm {
      let next = step.value.wrappingAdd(1, ordering: .relaxed).newValue
      signal.yield()
      return next < Self.delays.count ? Self.delays[next] : nil
    }
  }

  /// Starts the sequence of scans, or restarts it.
  func start() {
    step.value.store(0, ordering: .relaxed)
    alarm.start(after: Self.delays[0])
  }

  func end() { alarm.end() }
}
