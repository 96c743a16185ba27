/// The changes that a store applies, in order, from the moment of iteration on.
///
/// Nothing is lost: what a slow consumer has not taken yet is kept, without a limit, until it is
/// taken or the iteration ends. Each iteration is independent. It ends when the store goes away,
/// which it does not prevent.
public struct Changes<B: Blueprint>: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = B.Change
  /// It cannot fail.
  public typealias Failure = Never

  private weak let lego: Lego<B>?

  init(_ lego: Lego<B>) {
    self.lego = lego
  }

  /// Starts with the next change.
  public func makeAsyncIterator() -> AsyncStream<B.Change>.Iterator {
    let (stream, continuation) = AsyncStream.makeStream(
      of: B.Change.self, bufferingPolicy: .unbounded)
    guard let lego else {
      continuation.finish()
      return stream.makeAsyncIterator()
    }
    let token = lego.token(
      for: Observer(
        change: { notification, _, _ in continuation.yield(notification.change) },
        end: { continuation.finish() }))
    continuation.onTermination = { _ in token.cancel() }
    return stream.makeAsyncIterator()
  }
}

extension Lego {
  /// The changes that are applied from now on, in order and without a gap.
  public var changes: Changes<B> { Changes(self) }
}
