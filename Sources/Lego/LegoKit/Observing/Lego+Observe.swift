internal import Synchronization

extension Lego {
  /// Calls a closure with the new design each time the design changes, until the token is cancelled
  /// or freed.
  ///
  /// The closure is called outside the store's lock, by the thread that builds, by another thread
  /// that is building at the same time, or by a task of the store. Calls never overlap. The closure
  /// may build changes.
  public func onDesignChange(_ body: @escaping @Sendable (B.Design) -> Void) -> AnyCancellable {
    token(for: Observer(design: body))
  }

  /// Calls a closure with the latest design, skipping designs that are out of date.
  ///
  /// Use this method for an observer that needs only the current state, such as one that draws. If
  /// changes are applied while the closure runs, the next call receives only the last design, and
  /// is skipped if the design is the same as before. If changes keep arriving, the closure is
  /// called about every tenth of a second. It runs on the same threads as the closure of
  /// ``onDesignChange(_:)``.
  ///
  /// - Parameter body: Receives the latest design.
  /// - Returns: A token that ends the observation when it is cancelled or freed.
  public func onLatestDesign(_ body: @escaping @Sendable (B.Design) -> Void) -> AnyCancellable {
    let last = LastValue<B.Design>()
    let lastCall = Mutex(ContinuousClock.now)
    return token(
      for: Observer(
        start: { record in last.replace(with: record.after) },
        change: { [weak self] record in
          // Skip this design if a newer one follows, unless the last call was too long ago.
          let isNewest = self.map { $0.snapshot.number == record.number } ?? true
          let pause = lastCall.withLock { $0.duration(to: .now) }
          guard isNewest || pause > .milliseconds(100) else { return }
          if last.replace(with: record.after) { body(record.after) }
          lastCall.withLock { $0 = .now }
        }))
  }

  /// Calls a closure with the new value each time the value at a key path changes, until the token
  /// is cancelled or freed.
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

  /// Returns the values at a key path: first the current one, then the latest after each change.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable
  ) -> Selection<Value> {
    designs.part(keyPath)
  }

  /// The designs of the store: first the current one, then the latest after each change.
  ///
  /// The sequence does not keep the store alive.
  public var designs: Designs<B> {
    Selection { [weak self] notify, end in
      let notifyOfRecord: @Sendable (Record<B>) -> Void = { notify($0.after) }
      return self?.token(for: Observer(start: notifyOfRecord, change: notifyOfRecord, end: end))
    }
  }

  /// The changes that are applied after the iteration starts, in order and without gaps.
  public var changes: Changes<B> { Changes(self) }

  /// The current design, and the number of the last change.
  var snapshot: (number: UInt64, design: B.Design) {
    state.withLock { ($0.number, $0.design) }
  }
}
