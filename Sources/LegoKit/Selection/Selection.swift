/// The values of a part of a store's design: the current one first, then the latest each time it
/// became another.
///
/// A consumer that is slower than the store misses values, never the last one, and holds up
/// nobody. Each iteration is independent. It ends when the store goes away, which it does not
/// prevent.
public struct Selection<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// A value of the part.
  public typealias Element = Value
  /// It cannot fail.
  public typealias Failure = Never

  /// Starts to watch: it calls the closure with the current value and each one after it, and the
  /// other at the end of the store.
  typealias Watch =
    @Sendable (_ notify: @escaping @Sendable (Value) -> Void, _ end: @escaping @Sendable () -> Void)
    -> AnyCancellable?

  private let watch: Watch

  init(_ watch: @escaping Watch) {
    self.watch = watch
  }

  /// Starts with the current value.
  public func makeAsyncIterator() -> AsyncStream<Value>.Iterator {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let last = LastValue<Value>()
    let token = watch(
      { value in if last.replace(with: value) { continuation.yield(value) } },
      { continuation.finish() })
    if let token {
      continuation.onTermination = { _ in token.cancel() }
    } else {
      continuation.finish()
    }
    return stream.makeAsyncIterator()
  }

  /// The values of a part of this part.
  func part<Part>(_ keyPath: any KeyPath<Value, Part> & Sendable) -> Selection<Part> {
    Selection<Part> { [watch] notify, end in watch({ notify($0[keyPath: keyPath]) }, end) }
  }
}
