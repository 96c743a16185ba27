/// The values of a part of a store's design: the current one first, then the latest each time it
/// became another.
///
/// A consumer that is slower than the store misses values, never the last one, and holds up
/// nobody. Each iteration is independent. It ends when the store goes away, which it does not
/// prevent.
public struct Selection<B: Blueprint, Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// A value of the part.
  public typealias Element = Value
  /// It cannot fail.
  public typealias Failure = Never

  private weak let lego: Lego<B>?
  private let keyPath: any KeyPath<B.Design, Value> & Sendable

  init(_ lego: Lego<B>, _ keyPath: any KeyPath<B.Design, Value> & Sendable) {
    self.lego = lego
    self.keyPath = keyPath
  }

  /// Starts with the current value.
  public func makeAsyncIterator() -> AsyncStream<Value>.Iterator {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    guard let lego else {
      continuation.finish()
      return stream.makeAsyncIterator()
    }
    let last = LastValue<Value>()
    let yield: @Sendable (B.Design) -> Void = { [keyPath] design in
      let value = design[keyPath: keyPath]
      if last.replace(with: value) { continuation.yield(value) }
    }
    let token = lego.token(
      for: Observer(.design(yield), end: { continuation.finish() }), startingWith: yield)
    continuation.onTermination = { _ in token.cancel() }
    return stream.makeAsyncIterator()
  }
}
