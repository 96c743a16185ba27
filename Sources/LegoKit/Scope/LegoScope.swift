/// A store of a part: it shows one part of a store's design, and builds the changes of that part.
///
/// It holds nothing of its own, save the last design of a part that may go. All scopes of a store
/// share its one order of changes.
public struct LegoScope<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  private let read: @Sendable () -> Design
  /// Builds a change, unless the part went that the second argument knows.
  @usableFromInline let send: @Sendable (Change, PartGuard?) -> UInt64
  @usableFromInline let owner: any BuildOwner
  private let watch: @Sendable (@escaping @Sendable (Design) -> Void) -> AnyCancellable
  /// The designs of the part as they change: the current one first, then the latest each time.
  public let designs: Selection<Design>
  /// Knows whether the part went, where it can.
  @usableFromInline let guardian: PartGuard?
  let root: any ScopeRoot<Design>

  init(
    read: @escaping @Sendable () -> Design,
    send: @escaping @Sendable (Change, PartGuard?) -> UInt64,
    owner: any BuildOwner,
    watch: @escaping @Sendable (@escaping @Sendable (Design) -> Void) -> AnyCancellable,
    designs: Selection<Design>, guardian: PartGuard?, root: any ScopeRoot<Design>
  ) {
    self.read = read
    self.send = send
    self.owner = owner
    self.watch = watch
    self.designs = designs
    self.guardian = guardian
    self.root = root
  }

  /// The part as the last change left it, or as it was last when it went.
  public var design: Design { read() }

  /// Applies a change of the part, as ``Lego/build(_:)`` does.
  @discardableResult
  @inlinable public func build(_ change: Change) -> Build {
    Build(number: send(change, guardian), owner: owner)
  }

  /// Tells every design of the part that differs from the one before, until the token is
  /// cancelled or freed.
  public func onDesignChange(_ body: @escaping @Sendable (Design) -> Void) -> AnyCancellable {
    watch(body)
  }

  /// Tells every value of a part of the part that differs from the one before.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Value> & Sendable, _ body: @escaping @Sendable (Value) -> Void
  ) -> AnyCancellable {
    let last = LastValue(design[keyPath: keyPath])
    return watch { design in
      let value = design[keyPath: keyPath]
      if last.replace(with: value) { body(value) }
    }
  }

  /// The values of a part of the part as it changes.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Value> & Sendable
  ) -> Selection<Value> {
    designs.part(keyPath)
  }

  /// A value of the part whose writing builds the change made of it.
  public func glue<Value: Sendable>(
    _ keyPath: any KeyPath<Design, Value> & Sendable,
    change: @escaping @Sendable (Value) -> Change
  ) -> Glue<Value> {
    Glue(get: { read()[keyPath: keyPath] }, set: { _ = send(change($0), guardian) })
  }

  /// A value of the part whose writing builds one change, whatever is written.
  public func glue<Value: Sendable>(
    _ keyPath: any KeyPath<Design, Value> & Sendable, change: Change
  ) -> Glue<Value> {
    glue(keyPath) { _ in change }
  }

  /// A store of a part of this part.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Part> & Sendable,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange> {
    LegoScope<Part, PartChange>(
      read: { read()[keyPath: keyPath] }, send: { send(change($0), $1) }, owner: owner,
      watch: { observe(keyPath, $0) }, designs: designs.part(keyPath), guardian: guardian,
      root: root.part { $0[keyPath: keyPath] })
  }
}
