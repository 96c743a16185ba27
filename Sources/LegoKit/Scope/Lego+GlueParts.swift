extension Lego {
  /// What an optional holds; writing builds the change made of it.
  ///
  /// When the optional becomes `nil`, the value stays what it was last, and writing is reported to
  /// the ``Contractors/problemSink`` and ignored, as a scope of the optional does.
  ///
  /// - Parameters:
  ///   - keyPath: The optional.
  ///   - change: Makes a change of what is written.
  /// - Returns: The value, or `nil` when the optional holds none.
  public func glue<Value: Equatable & Sendable>(
    presented keyPath: any KeyPath<B.Design, Value?> & Sendable,
    change: @escaping @Sendable (Value) -> B.Change
  ) -> Glue<Value>? {
    scope(presented: keyPath, change: change)?.glue(\.self, change: { $0 })
  }

  /// The payload of one case of an enum; writing builds the change made of it.
  ///
  /// When the enum becomes another case, the value stays what it was last, and writing is reported
  /// to the ``Contractors/problemSink`` and ignored.
  ///
  /// - Parameters:
  ///   - keyPath: The enum.
  ///   - extract: The payload, or `nil` for another case.
  ///   - change: Makes a change of what is written.
  /// - Returns: The value, or `nil` when the enum is another case.
  public func glue<Enum, Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Enum> & Sendable,
    case extract: @escaping @Sendable (Enum) -> Value?,
    change: @escaping @Sendable (Value) -> B.Change
  ) -> Glue<Value>? {
    scope(keyPath, case: extract, change: change)?.glue(\.self, change: { $0 })
  }
}
