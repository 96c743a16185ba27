internal import Synchronization

extension Lego {
  /// A store of a part of the design that is always there.
  ///
  /// ```swift
  /// let house = lego.scope(\.house, change: { .house($0) })
  /// house.build(.address("12 Main St"))
  /// ```
  ///
  /// A key path that leads through an element, such as `\.rooms[1]`, cannot be made safe: it stops
  /// the program when the element is read after it went. <doc:Features> has the scopes that end.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - change: Makes a change of the whole of a change of the part.
  /// - Returns: A store of the part, which keeps this one.
  @inlinable public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Part> & Sendable,
    change: @escaping @Sendable (PartChange) -> B.Change
  ) -> LegoScope<Part, PartChange> {
    makeScope(keyPath) { part, guardian in
      guardian.map { self.build(change(part), in: $0) } ?? self.buildNumbered(change(part))
    }
  }

  @usableFromInline func makeScope<Part, PartChange>(
    _ keyPath: any KeyPath<B.Design, Part> & Sendable,
    _ send: @escaping @Sendable (PartChange, PartGuard?) -> UInt64
  ) -> LegoScope<Part, PartChange> {
    LegoScope(
      read: { self.design[keyPath: keyPath] }, send: send, owner: self,
      watch: { self.observe(keyPath, $0) }, designs: designs.part(keyPath), guardian: nil,
      root: StoreRoot(lego: self) { $0[keyPath: keyPath] })
  }

  /// The whole design as a scope, for what every scope can do.
  func wholeScope() -> LegoScope<B.Design, B.Change> {
    scope(\.self, change: { $0 })
  }

  /// Builds a change of a part, unless the part went.
  @usableFromInline func build(_ change: B.Change, in guardian: PartGuard) -> UInt64 {
    Injection.within(overrides) {
      var isGone = false
      let number = buildCarefully(change, root: nil) { _ in
        isGone = guardian.isGone
        return !isGone
      }
      if isGone { report("ignored a change of a part that went: \(Description.of(change))") }
      return number
    }
  }

  /// Shows a memory each new design, from the current one on.
  ///
  /// - Parameter make: Makes the memory, and reads its part; it is called under the lock.
  /// - Returns: What was made.
  func watch<Part: Sendable>(
    _ make: (B.Design) -> (PartMemory<Part>, @Sendable (B.Design) -> Part?)?
  ) -> (PartMemory<Part>, @Sendable (B.Design) -> Part?)? {
    state.withLock { state in
      guard let (memory, read) = make(state.design) else { return nil }
      state.watch { [weak memory] design in memory?.update(read(design)) ?? false }
      return (memory, read)
    }
  }

  /// Tells every value of a part that may go, until it goes.
  func observe<Part: Equatable & Sendable>(
    _ guardian: PartGuard, _ read: @escaping @Sendable (B.Design) -> Part?,
    _ body: @escaping @Sendable (Part) -> Void
  ) -> AnyCancellable {
    let last = LastValue<Part>()
    let end = PartGuard()
    let start = StartingPoint<B.Design>()
    let observer = LegoState<B>.Observer(
      design: { design in
        if end.isGone { return }
        if let first = start.take(), let part = read(first) { _ = last.replace(with: part) }
        guard let part = read(design) else { return end.noteEnd() }
        if last.replace(with: part) { body(part) }
      })
    let token = token(for: observer, startingFrom: start)
    if guardian.isGone { end.noteEnd() }
    return token
  }

  /// The designs of a part that may go, which end with it.
  func designs<Part: Equatable & Sendable>(
    _ guardian: PartGuard, _ read: @escaping @Sendable (B.Design) -> Part?
  ) -> Selection<Part> {
    Selection { [weak self] notify, end in
      guard let self else { return nil }
      let isOver = PartGuard()
      let turn = FollowTurn<B.Design> { _, design in
        if isOver.isGone { return }
        if let part = read(design) { return notify(part) }
        isOver.noteEnd()
        end()
      }
      let observer = LegoState<B>.Observer(
        change: { notification, _, design in turn.submit(notification.number, design) }, end: end)
      let (number, design) = add(observer)
      let token = token(of: observer)
      if guardian.isGone { isOver.noteEnd() }
      turn.submit(number, design)
      return isOver.isGone ? nil : token
    }
  }
}
