/// A task that waits.
///
/// It is an object, because a bare continuation is copied and freed by way of the runtime, with all
/// that holds it.
@usableFromInline final class WaitingTask: Sendable {
  private let continuation: CheckedContinuation<Void, Never>

  init(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = continuation
  }

  /// Lets it go on; outside every lock, and once.
  @usableFromInline func resume() { continuation.resume() }
}
