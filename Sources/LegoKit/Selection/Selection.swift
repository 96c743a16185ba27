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

/// The designs of a store as they change: the current one first, then the latest each time.
public typealias Designs<B: Blueprint> = Selection<B.Design>

extension Lego {
  /// The designs as they change: the current one first, then the latest each time.
  ///
  /// The sequence does not keep the store.
  public var designs: Designs<B> {
    Selection { [weak self] notify, end in
      guard let self else { return nil }
      // The current design is handed on outside the lock, unless a later one came before it.
      let turn = FollowTurn<B.Design> { _, design in notify(design) }
      let observer = LegoState<B>.Observer(
        change: { notification, _, design in turn.submit(notification.number, design) }, end: end)
      let (number, design) = add(observer)
      turn.submit(number, design)
      return token(of: observer)
    }
  }
}

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
