/// A store for one part of another store's design.
///
/// A scope reads the design of its part and builds changes to it. It has no state of its own,
/// except for the last design of a part that can be removed. The store applies the changes of all
/// its scopes in a single order.
public struct LegoScope<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  private let read: @Sendable () -> Design
  /// Builds a change, unless the part no longer exists.
  let send: @Sendable (Change, PartMarker?) -> UInt64
  let owner: any BuildOwner
  private let watch: @Sendable (@escaping @Sendable (Design) -> Void) -> AnyCancellable
  /// The designs of the part: first the current one, then the latest after each change.
  public let designs: Selection<Design>
  /// The marker that records whether the part was removed, or `nil` if the part cannot be removed.
  let marker: PartMarker?
  let source: any ScopeSource<Design>

  init(
    read: @escaping @Sendable () -> Design,
    send: @escaping @Sendable (Change, PartMarker?) -> UInt64,
    owner: any BuildOwner,
    watch: @escaping @Sendable (@escaping @Sendable (Design) -> Void) -> AnyCancellable,
    designs: Selection<Design>, marker: PartMarker?, source: any ScopeSource<Design>
  ) {
    self.read = read
    self.send = send
    self.owner = owner
    self.watch = watch
    self.designs = designs
    self.marker = marker
    self.source = source
  }

  /// The current design of the part, or its last design if the part no longer exists.
  public var design: Design { read() }

  /// Applies a change to the part, as ``Lego/build(_:)`` does.
  ///
  /// If the part no longer exists, the change is reported to the ``Contractors/problemSink`` and
  /// ignored.
  @discardableResult
  public func build(_ change: Change) -> Build {
    Build(number: send(change, marker), owner: owner)
  }

  /// Calls a closure with the new design each time the part changes.
  ///
  /// The observation ends when the token is cancelled or freed, or when the part is removed.
  public func onDesignChange(_ body: @escaping @Sendable (Design) -> Void) -> AnyCancellable {
    watch(body)
  }

  /// Calls a closure with the new value each time the value at a key path changes.
  ///
  /// The observation ends when the token is cancelled or freed, or when the part is removed.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Value> & Sendable, _ body: @escaping @Sendable (Value) -> Void
  ) -> AnyCancellable {
    let last = LastValue(design[keyPath: keyPath])
    return watch { design in
      let value = design[keyPath: keyPath]
      if last.replace(with: value) { body(value) }
    }
  }

  /// Returns the values at a key path: first the current one, then the latest after each change.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Value> & Sendable
  ) -> Selection<Value> {
    designs.part(keyPath)
  }

  /// Returns a `Glue` for the value at a key path.
  ///
  /// Writing a value builds the change that `change` returns for it.
  public func glue<Value: Sendable>(
    _ keyPath: any KeyPath<Design, Value> & Sendable,
    change: @escaping @Sendable (Value) -> Change
  ) -> Glue<Value> {
    Glue(get: { read()[keyPath: keyPath] }, set: { _ = send(change($0), marker) })
  }

  /// Returns a `Glue` for the value at a key path.
  ///
  /// Every write builds the given change, regardless of the value.
  public func glue<Value: Sendable>(
    _ keyPath: any KeyPath<Design, Value> & Sendable, change: Change
  ) -> Glue<Value> {
    glue(keyPath) { _ in change }
  }

  /// Returns a scope for a nested part that always exists.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Part> & Sendable,
    change: @escaping @Sendable (PartChange) -> Change
  ) -> LegoScope<Part, PartChange> {
    LegoScope<Part, PartChange>(
      read: { read()[keyPath: keyPath] }, send: { send(change($0), $1) }, owner: owner,
      watch: { observe(keyPath, $0) }, designs: designs.part(keyPath), marker: marker,
      source: source.part { $0[keyPath: keyPath] })
  }
}

extension Lego {
  /// Returns a scope for a part of the design that always exists.
  ///
  /// ```swift
  /// let house = lego.scope(\.house, change: { .house($0) })
  /// house.build(.address("12 Main St"))
  /// ```
  ///
  /// Do not use a key path through an element, such as `\.rooms[1]`. If that element no longer
  /// exists, reading it traps. <doc:Features> describes scopes for parts that can be removed.
  public func scope<Part: Equatable & Sendable, PartChange: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Part> & Sendable,
    change: @escaping @Sendable (PartChange) -> B.Change
  ) -> LegoScope<Part, PartChange> {
    LegoScope(
      read: { self.design[keyPath: keyPath] },
      send: { part, marker in self.apply(change(part), unlessGone: marker) }, owner: self,
      watch: { self.observe(keyPath, $0) }, designs: designs.part(keyPath), marker: nil,
      source: StoreSource(lego: self) { $0[keyPath: keyPath] })
  }

  /// Applies a change to a part, or reports it if the part no longer exists.
  private func apply(_ change: B.Change, unlessGone marker: PartMarker?) -> UInt64 {
    guard let marker else { return apply(change) }
    var isGone = false
    let number = apply(change) { _ in
      isGone = marker.isGone
      return !isGone
    }
    if isGone { report("ignored a change of a part that has gone: \(Description.of(change))") }
    return number
  }
}
