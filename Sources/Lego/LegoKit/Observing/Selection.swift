/// The designs of a store: the current one first, then the latest after each change.
public typealias Designs<B: Blueprint> = Selection<B.Design>

/// The values of a part of a store's design: the current one first, then the latest each time it
/// changes.
///
/// A consumer that is slower than the store misses values, but never the last one, and does not
/// slow down the store. Each iteration is independent. It ends when the store is freed or closed,
/// and does not keep the store alive.
public struct Selection<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// A value of the part.
  public typealias Element = Value
  /// The sequence never throws.
  public typealias Failure = Never

  /// Starts an observation.
  ///
  /// It calls one closure with the current value and each later one, and the other at the end.
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

/// The changes that a store applies, in order, starting when the iteration starts.
///
/// No change is lost: changes that a slow consumer has not taken yet are kept, without a limit.
/// Each iteration is independent. It ends when the store is freed or closed, and does not keep the
/// store alive.
public struct Changes<B: Blueprint>: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = B.Change
  /// The sequence never throws.
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
        change: { record in if let change = record.change { continuation.yield(change) } },
        end: { continuation.finish() }))
    continuation.onTermination = { _ in token.cancel() }
    return stream.makeAsyncIterator()
  }
}
