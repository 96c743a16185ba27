internal import Synchronization

extension Lego {
  /// Adds an observer, and gives out its token.
  ///
  /// - Parameters:
  ///   - observer: The observer.
  ///   - start: Gets the design that the observer starts from.
  /// - Returns: The token.
  @usableFromInline func token(
    for observer: LegoState<B>.Observer, startingFrom start: StartingPoint<B.Design>? = nil
  ) -> AnyCancellable {
    add(observer, startingFrom: start)
    return token(of: observer)
  }

  /// The token of an observer that was added.
  func token(of observer: LegoState<B>.Observer) -> AnyCancellable {
    // Who comes after the end of the store is told so, once it has what the store shows.
    if state.withLock({ $0.phase == .closed }) { observer.end?() }
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
    _ observer: LegoState<B>.Observer, startingFrom start: StartingPoint<B.Design>? = nil
  ) -> (number: UInt64, design: B.Design) {
    state.withLock { state in
      start?.keep(state.design)
      if state.phase != .closed { state.add(observer) }
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
