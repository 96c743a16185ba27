extension Follow {
  /// Follows a value of another store, which several stores share.
  ///
  /// ```swift
  /// override var follows: [Follow<Editor>] { [Follow(shared: \.config, \.theme) { .theme($0) }] }
  /// ```
  ///
  /// It sends a change for the value at the beginning, and for the latest value each time it became
  /// another. The shared store is looked up when the effect runs, not when this one is made: two
  /// shared stores may follow each other, though not one value in both directions, since two that are
  /// written at once would chase each other. It ends with either store, and keeps none of them.
  ///
  /// - Parameters:
  ///   - store: The shared store, a property of ``Contractors``.
  ///   - keyPath: The value in its design.
  ///   - change: Makes a change of this store of a value.
  public init<Other: Blueprint, Value: Equatable & Sendable>(
    shared store: any KeyPath<Contractors, Lego<Other>> & Sendable,
    _ keyPath: any KeyPath<Other.Design, Value> & Sendable,
    _ change: @escaping @Sendable (Value) -> B.Change
  ) {
    self.init(once: {
      .run(name: "follow of a shared store") { send in
        let values = Contractors()[keyPath: store].observe(keyPath)
        for await value in values { send(change(value)) }
      }
    })
  }
}
