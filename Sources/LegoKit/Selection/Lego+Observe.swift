extension Lego {
  /// Tells every design that differs from the one before, in order, until the token is cancelled
  /// or freed.
  ///
  /// The closure is called outside every lock, by the thread that builds or one that built at the
  /// same time, never by two at once. It may build.
  public func onDesignChange(_ body: @escaping @Sendable (B.Design) -> Void) -> AnyCancellable {
    token(for: Observer(design: body))
  }

  /// Tells the latest design, for an observer that needs no design between, such as one that draws.
  ///
  /// While the closure runs, others may build: of the designs that come meanwhile it is told the
  /// last one, if that differs from the one it was told before. Where they never stop, it is told
  /// one of their designs after a tenth of a second. So it holds up builders for one call of the
  /// closure in that time at most, however much they build. It is called as the closure of
  /// ``onDesignChange(_:)`` is.
  ///
  /// - Parameter body: Gets the latest design.
  /// - Returns: The token, with which the observer ends.
  public func onLatestDesign(_ body: @escaping @Sendable (B.Design) -> Void) -> AnyCancellable {
    let last = LastValue<B.Design>()
    let start = StartingPoint<B.Design>()
    let pause = TellingPause()
    let observer = LegoState<B>.Observer(
      change: { [weak self] notification, _, design in
        // Who was told of this change is told of the newer one too.
        if let self, snapshot.number > notification.number, !pause.isTooLong { return }
        if let first = start.take() { _ = last.replace(with: first) }
        if last.replace(with: design) { body(design) }
        pause.begin()
      })
    return token(for: observer, startingFrom: start)
  }

  /// Tells every value of a part of the design that differs from the one before, until the token
  /// is cancelled or freed.
  @inlinable public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable,
    _ body: @escaping @Sendable (Value) -> Void
  ) -> AnyCancellable {
    let last = LastValue<Value>()
    let start = StartingPoint<B.Design>()
    let observer = LegoState<B>.Observer(
      design: { design in
        if let first = start.take() { _ = last.replace(with: first[keyPath: keyPath]) }
        let value = design[keyPath: keyPath]
        if last.replace(with: value) { body(value) }
      })
    return token(for: observer, startingFrom: start)
  }

  /// The values of a part of the design as it changes: the current one first, then the latest
  /// each time.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable
  ) -> Selection<Value> {
    designs.part(keyPath)
  }
}
