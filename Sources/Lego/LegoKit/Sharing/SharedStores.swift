extension Effect {
  /// Builds a change on another store, which several stores share.
  ///
  /// The effect finds the shared store when it runs. It ends when the change was applied there, and
  /// does not wait for the effects of that change.
  ///
  /// - Parameters:
  ///   - change: A change of the shared store.
  ///   - store: The shared store, a property of ``Contractors``.
  /// - Returns: The effect, which sends nothing.
  public static func build<Other: Blueprint>(
    _ change: Other.Change, on store: any KeyPath<Contractors, Lego<Other>> & Sendable
  ) -> Effect {
    .run(name: "change of a shared store") { _ in Contractors()[keyPath: store].build(change) }
  }
}

extension Follow {
  /// Follows a value of another store, which several stores share.
  ///
  /// ```swift
  /// override var follows: [Follow<Editor>] { [Follow(shared: \.config, \.theme) { .theme($0) }] }
  /// ```
  ///
  /// It sends a change for the first value, and for the latest value each time it changes. The
  /// effect finds the shared store when it runs, so two shared stores may follow each other. They
  /// must not follow one value in both directions: if both were written at once, they would
  /// alternate without end. The effect ends with either store, and keeps neither alive.
  ///
  /// - Parameters:
  ///   - store: The shared store, a property of ``Contractors``.
  ///   - keyPath: The value in its design.
  ///   - change: Converts a value into a change of this store.
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
