/// The tasks that wait for all that a build caused.
@usableFromInline struct Waiters: Sendable {
  var continuations: [CheckedContinuation<Void, Never>] = []
  /// The number of the last change that the build caused and that was put in the queue.
  @usableFromInline var lastQueued: UInt64

  /// Lets them go on; outside every lock.
  func resume() {
    for continuation in continuations { continuation.resume() }
  }
}
