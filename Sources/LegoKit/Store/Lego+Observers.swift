internal import Synchronization

extension Lego {
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
    let (number, design, isClosed) = state.withLock { state in
      start(state.design)
      if state.phase != .closed { state.add(observer) }
      return (state.number, state.design, state.phase == .closed)
    }
    if isClosed { observer.end?() }
    return (number, design)
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
