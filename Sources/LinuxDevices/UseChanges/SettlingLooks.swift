internal import AccessModel
internal import CLinux
internal import Glibc
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

  private let source: DescriptorSource
  private let registration: WatchRegistration

  private final class Step: Sendable {
    let value = Atomic<Int>(0)
  }

  private let step: Step

  /// - Throws: `EMFILE`, and what a filter of system calls answers.
  init(_ signal: AsyncStream<Void>.Continuation) throws(Errno) {
    let step = Step()
    self.step = step
    source = DescriptorSource(
      try OwnedDescriptor(negated: clinux_alarm()), interest: CLINUX_READABLE
    ) { descriptor, _ in
      var count: UInt64 = 0
      _ = unsafe read(descriptor, &count, 8)
      let next = step.value.wrappingAdd(1, ordering: .relaxed).newValue
      if next < Self.delays.count { clinux_set_alarm(descriptor, Self.delays[next]) }
      signal.yield()
      return true
    }
    registration = try EventLoop.shared.watch(source)
  }

  /// Begins anew.
  func start() {
    step.value.store(0, ordering: .relaxed)
    clinux_set_alarm(source.descriptor, Self.delays[0])
  }

  func end() { registration.cancel() }
}
