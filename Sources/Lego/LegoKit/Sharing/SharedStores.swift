extension Effect {
  /// Returns an effect that builds a change on a shared store.
  ///
  /// The shared store is looked up when the effect runs. The effect ends when ``Lego/build(_:)``
  /// returns. It does not wait for the effects of the change.
  ///
  /// - Parameters:
  ///   - change: The change to build on the shared store.
  ///   - store: The key path of the shared store in ``Contractors``.
  /// - Returns: The effect, which sends no changes to its own store.
  public static func build<Other: Blueprint>(
    _ change: Other.Change, on store: any KeyPath<Contractors, Lego<Other>> & Sendable
  ) -> Effect {
    .run(name: "change of a shared store") { _ in Contractors()[keyPath: store].build(change) }
  }
}

extension Follow {
  /// Creates an effect that follows a value in a shared store.
  ///
  /// ```swift
  /// override var follows: [Follow<Editor>] { [Follow(shared: \.config, \.theme) { .theme($0) }] }
  /// ```
  ///
  /// The effect sends a change for the current value, and again for the latest value each time the
  /// value changes. The shared store is looked up when the effect runs, so two shared stores may
  /// follow each other. However, two values must not follow each other: if both were written at the
  /// same time, they could alternate without end. The effect ends when either store is closed or
  /// freed, and keeps neither alive.
  ///
  /// - Parameters:
  ///   - store: The key path of the shared store in ``Contractors``.
  ///   - keyPath: The key path of the value in the shared store's design.
  ///   - change: Converts a value into a change to this store.
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
