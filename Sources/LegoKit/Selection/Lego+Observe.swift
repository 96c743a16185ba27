internal import Synchronization

extension Lego {
  /// Tells every design that differs from the one before, in order, until the token is cancelled
  /// or freed.
  ///
  /// The closure is called outside every lock, by the thread that builds or one that built at the
  /// same time, never by two at once. It may build.
  public func onDesignChange(_ body: @escaping @Sendable (B.Design) -> Void) -> AnyCancellable {
    token(for: Observer(design: body))
  }

  /// Tells every value of a part of the design that differs from the one before, until the token
  /// is cancelled or freed.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable,
    _ body: @escaping @Sendable (Value) -> Void
  ) -> AnyCancellable {
    let last = LastValue<Value>()
    let observer = LegoState<B>.Observer(
      design: { design in
        let value = design[keyPath: keyPath]
        if last.replace(with: value) { body(value) }
      })
    return token(for: observer) { _ = last.replace(with: $0[keyPath: keyPath]) }
  }

  /// The values of a part of the design as it changes: the current one first, then the latest
  /// each time.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable
  ) -> Selection<Value> {
    designs.part(keyPath)
  }

  /// Adds an observer, and gives out its token.
  ///
  /// - Parameters:
  ///   - observer: The observer.
  ///   - start: Called with the design that the observer starts from, under the lock, so that no
  ///     change comes between.
  /// - Returns: The token.
  func token(
    for observer: LegoState<B>.Observer, startingWith start: (B.Design) -> Void = { _ in }
  ) -> AnyCancellable {
    add(observer, startingWith: start)
    return AnyCancellable { [weak self] in
      observer.cancel()
      self?.remove(observer)
    }
  }

  /// Adds an observer.
  ///
  /// - Returns: The design that it starts from, and the number of the change that made it.
  @discardableResult
  func add(
    _ observer: LegoState<B>.Observer, startingWith start: (B.Design) -> Void = { _ in }
  ) -> (number: UInt64, design: B.Design) {
    state.withLock { state in
      start(state.design)
      state.add(observer)
      return (state.number, state.design)
    }
  }

  /// Removes an observer.
  func remove(_ observer: LegoState<B>.Observer) {
    observer.cancel()
    // The closures are freed outside the lock.
    let old = state.withLock { state in
      let old = state.observers
      state.remove(observer)
      return old
    }
    withExtendedLifetime(old) {}
  }
}
