import Synchronization

/// The simplest possible subject: a closure behind a `Mutex`.
final class BareSubject: Sendable {
  /// Boxes the closure, because a closure in a generic value would be wrapped again at each read.
  private final class Handler: Sendable {
    let body: @Sendable (Int) -> Void

    init(_ body: @escaping @Sendable (Int) -> Void) {
      self.body = body
    }
  }

  private let handler: Mutex<Handler>

  init(_ receive: @escaping @Sendable (Int) -> Void) {
    handler = Mutex(Handler(receive))
  }

  func send(_ value: Int) {
    handler.withLock { $0 }.body(value)
  }
}
