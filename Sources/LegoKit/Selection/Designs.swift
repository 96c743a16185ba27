/// The designs of a store as they change: the current one first, then the latest each time.
///
/// A consumer that is slower than the store misses designs, never the last one, and holds up
/// nobody. Each iteration is independent. It ends when the store goes away, which it does not
/// prevent.
public struct Designs<B: Blueprint>: AsyncSequence, Sendable {
  /// A design.
  public typealias Element = B.Design
  /// It cannot fail.
  public typealias Failure = Never

  private weak let lego: Lego<B>?

  init(_ lego: Lego<B>) {
    self.lego = lego
  }

  /// Starts with the current design.
  public func makeAsyncIterator() -> AsyncStream<B.Design>.Iterator {
    let (stream, continuation) = AsyncStream.makeStream(
      of: B.Design.self, bufferingPolicy: .bufferingNewest(1))
    if let lego {
      let token = lego.observe(
        Observer(.design { continuation.yield($0) }, end: { continuation.finish() }),
        startingWith: { continuation.yield($0) })
      continuation.onTermination = { _ in token.cancel() }
    } else {
      continuation.finish()
    }
    return stream.makeAsyncIterator()
  }
}

extension Lego {
  /// The designs as they change: the current one first, then the latest each time.
  public var designs: Designs<B> { Designs(self) }
}
