/// The designs of a store: first the current one, then the latest after each change.
public typealias Designs<B: Blueprint> = Selection<B.Design>

/// An asynchronous sequence of the values of one part of a design.
///
/// The first element is the current value. Each later element is the latest value after a change. A
/// consumer that is slower than the store misses values, but never the last one, and does not slow
/// down the store.
///
/// Each iteration is independent, and does not keep the store alive. It ends when the store is
/// closed or freed, or when the part is removed.
public struct Selection<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// A value of the part.
  public typealias Element = Value
  /// `Never`, because the sequence does not throw.
  public typealias Failure = Never

  /// Starts an observation.
  ///
  /// It calls `notify` with the current value, and again after each change. It calls `end` when no
  /// more values follow, in which case it may return `nil`.
  typealias Watch =
    @Sendable (_ notify: @escaping @Sendable (Value) -> Void, _ end: @escaping @Sendable () -> Void)
    -> AnyCancellable?

  private let watch: Watch

  init(_ watch: @escaping Watch) {
    self.watch = watch
  }

  /// Returns an iterator that starts with the current value.
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

  /// Returns the values at a key path.
  func part<Part>(_ keyPath: any KeyPath<Value, Part> & Sendable) -> Selection<Part> {
    Selection<Part> { [watch] notify, end in watch({ notify($0[keyPath: keyPath]) }, end) }
  }
}

/// An asynchronous sequence of the changes that a store applies, from the start of the iteration.
///
/// No change is lost: changes that a slow consumer has not read are buffered without a limit. Each
/// iteration is independent, and does not keep the store alive. It ends when the store is closed or
/// freed.
public struct Changes<B: Blueprint>: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = B.Change
  /// `Never`, because the sequence does not throw.
  public typealias Failure = Never

  private weak let lego: Lego<B>?

  init(_ lego: Lego<B>) {
    self.lego = lego
  }

  /// Returns an iterator that starts with the next change.
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
