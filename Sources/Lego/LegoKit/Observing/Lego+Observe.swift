internal import Synchronization

extension Lego {
  /// Calls a closure with each design that differs from the previous one, in order, until the token
  /// is cancelled or freed.
  ///
  /// The closure is called outside the store's lock, one call at a time: on the thread that builds,
  /// on one that is building at the same time, or in a task of the store. It may build.
  public func onDesignChange(_ body: @escaping @Sendable (B.Design) -> Void) -> AnyCancellable {
    token(for: Observer(design: body))
  }

  /// Calls a closure with the latest design, for observers that may skip designs, such as one that
  /// draws.
  ///
  /// Other threads may build while the closure runs. It then receives only the last design, if that
  /// differs from the previous one. If designs keep coming, it receives one every tenth of a
  /// second. The closure is called as described for ``onDesignChange(_:)``.
  ///
  /// - Parameter body: Receives the latest design.
  /// - Returns: The token, which ends the observation.
  public func onLatestDesign(_ body: @escaping @Sendable (B.Design) -> Void) -> AnyCancellable {
    let last = LastValue<B.Design>()
    let lastCall = Mutex(ContinuousClock.now)
    return token(
      for: Observer(
        start: { record in last.replace(with: record.after) },
        change: { [weak self] record in
          // A newer design will be delivered, unless this observer has been waiting for too long.
          let isNewest = self.map { $0.snapshot.number == record.number } ?? true
          let pause = lastCall.withLock { $0.duration(to: .now) }
          guard isNewest || pause > .milliseconds(100) else { return }
          if last.replace(with: record.after) { body(record.after) }
          lastCall.withLock { $0 = .now }
        }))
  }

  /// Calls a closure with each value of a part of the design that differs from the previous one,
  /// until the token is cancelled or freed.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable,
    _ body: @escaping @Sendable (Value) -> Void
  ) -> AnyCancellable {
    let last = LastValue<Value>()
    return token(
      for: Observer(
        start: { record in last.replace(with: record.after[keyPath: keyPath]) },
        design: { design in
          let value = design[keyPath: keyPath]
          if last.replace(with: value) { body(value) }
        }))
  }

  /// The values of a part of the design: the current one first, then the latest after each change.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable
  ) -> Selection<Value> {
    designs.part(keyPath)
  }

  /// The designs: the current one first, then the latest after each change.
  ///
  /// The sequence does not keep the store alive.
  public var designs: Designs<B> {
    Selection { [weak self] notify, end in
      let notifyOfRecord: @Sendable (Record<B>) -> Void = { notify($0.after) }
      return self?.token(for: Observer(start: notifyOfRecord, change: notifyOfRecord, end: end))
    }
  }

  /// The changes that are applied from now on, in order and without a gap.
  public var changes: Changes<B> { Changes(self) }

  /// The design, and the number of the change that produced it.
  var snapshot: (number: UInt64, design: B.Design) {
    state.withLock { ($0.number, $0.design) }
  }
}
