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
