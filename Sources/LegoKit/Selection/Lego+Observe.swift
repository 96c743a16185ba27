internal import Synchronization

extension Lego {
  /// Tells every design that differs from the one before, in order, until the token is cancelled
  /// or freed.
  ///
  /// The closure is called outside every lock, by the thread that builds or one that built at the
  /// same time, never by two at once. It may build.
  public func onDesignChange(_ body: @escaping @Sendable (B.Design) -> Void) -> AnyCancellable {
    observe(Observer(.design(body)))
  }

  /// Adds an observer, and calls a closure with the design it starts from.
  ///
  /// The closure runs under the lock, so that no change comes between.
  func observe(
    _ observer: LegoState<B>.Observer, startingWith start: (B.Design) -> Void = { _ in }
  ) -> AnyCancellable {
    state.withLock { state in
      start(state.design)
      state.add(observer)
    }
    return AnyCancellable { [weak self] in
      observer.cancel()
      // The closures are freed outside the lock.
      let old = self?.state.withLock { state in
        let old = state.audience
        state.remove(observer)
        return old
      }
      withExtendedLifetime(old) {}
    }
  }
}
