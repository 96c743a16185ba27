/// A store of a part: it shows one part of a store's design, and builds the changes of that part.
///
/// It has no state except the last design of a part that can go. All scopes of a store share its
/// order of changes.
public struct LegoScope<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  private let read: @Sendable () -> Design
  /// Builds a change, unless the part has gone.
  let send: @Sendable (Change, PartMarker?) -> UInt64
  let owner: any BuildOwner
  private let watch: @Sendable (@escaping @Sendable (Design) -> Void) -> AnyCancellable
  /// The designs of the part: the current one first, then the latest after each change.
  public let designs: Selection<Design>
  /// Knows whether the part has gone, if it can.
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

  /// The part after the last change, or its last design if it has gone.
  public var design: Design { read() }

  /// Applies a change of the part, like ``Lego/build(_:)``.
  @discardableResult
  public func build(_ change: Change) -> Build {
    Build(number: send(change, marker), owner: owner)
  }

  /// Calls a closure with each design of the part that differs from the previous one, until the
  /// token is cancelled or freed.
  public func onDesignChange(_ body: @escaping @Sendable (Design) -> Void) -> AnyCancellable {
    watch(body)
  }

  /// Calls a closure with each value of a part of this part that differs from the previous one.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Value> & Sendable, _ body: @escaping @Sendable (Value) -> Void
  ) -> AnyCancellable {
    let last = LastValue(design[keyPath: keyPath])
    return watch { design in
      let value = design[keyPath: keyPath]
      if last.replace(with: value) { body(value) }
    }
  }

  /// The values of a part of this part.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<Design, Value> & Sendable
  ) -> Selection<Value> {
    designs.part(keyPath)
  }

  /// A value of the part.
  ///
  /// Writing it builds a change that is made from the new value.
  public func glue<Value: Sendable>(
    _ keyPath: any KeyPath<Design, Value> & Sendable,
    change: @escaping @Sendable (Value) -> Change
  ) -> Glue<Value> {
    Glue(get: { read()[keyPath: keyPath] }, set: { _ = send(change($0), marker) })
  }

  /// A value of the part.
  ///
  /// Writing it builds one change, whatever the new value is.
  public func glue<Value: Sendable>(
    _ keyPath: any KeyPath<Design, Value> & Sendable, change: Change
  ) -> Glue<Value> {
    glue(keyPath) { _ in change }
  }

  /// A store of a part of this part that always exists.
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
  /// A store of a part of the design that always exists.
  ///
  /// ```swift
  /// let house = lego.scope(\.house, change: { .house($0) })
  /// house.build(.address("12 Main St"))
  /// ```
  ///
  /// Do not use a key path that leads through an element, such as `\.rooms[1]`: if the element has
  /// gone, reading it stops the program. <doc:Features> describes scopes that end with their part.
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

  /// Builds a change of a part, unless the part has gone.
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
