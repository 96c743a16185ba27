internal import AccessModel
internal import Synchronization

/// Wakes a watch twice more after an event, and then never again by itself.
///
/// The kernel tells of an open before the process has its descriptor, and a program maps its
/// buffers some time after it has opened a camera, which nothing tells.
final class SettlingLooks: Sendable {
  /// After how many milliseconds to look again, one after the other.
  private static let delays: [Int32] = [100, 900]
  /// How long after an event the last look surely comes, unless another event is told.
  static let duration = Duration.milliseconds(900)

  private final class Step: Sendable {
    let value = Atomic<Int>(0)
  }

  private let step: Step
  private let alarm: Alarm

  /// - Throws: `EMFILE`, and what a filter of system calls answers.
  init(_ signal: AsyncStream<Void>.Continuation) throws(Errno) {
    let step = Step()
    self.step = step
    alarm = try Alarm {
      let next = step.value.wrappingAdd(1, ordering: .relaxed).newValue
      signal.yield()
      return next < Self.delays.count ? Self.delays[next] : nil
    }
  }

  /// Begins anew.
  func start() {
    step.value.store(0, ordering: .relaxed)
    alarm.start(after: Self.delays[0])
  }

  func end() { alarm.end() }
}
