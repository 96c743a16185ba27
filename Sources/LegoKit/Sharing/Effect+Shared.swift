extension Effect {
  /// Builds a change on another store, which several stores share.
  ///
  /// The shared store is looked up when the effect runs. The effect is over when the change was
  /// applied there, and does not wait for what it causes.
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
