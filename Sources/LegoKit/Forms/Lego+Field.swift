extension Lego {
  /// The value of a field of a form; writing enters it.
  ///
  /// - Parameters:
  ///   - keyPath: The field.
  ///   - change: Makes a change of the form of a change of the field.
  /// - Returns: The value, to be read and written by a text field.
  public func glue<Value, Issue>(
    field keyPath: any KeyPath<B.Design, FormField<Value, Issue>> & Sendable,
    change: @escaping @Sendable (FieldRules<Value, Issue>.Change) -> B.Change
  ) -> Glue<Value> {
    Glue(get: { self.design[keyPath: keyPath].value }, set: { self.build(change(.enter($0))) })
  }
}

extension LegoScope {
  /// The value of a field of a form that is a part; writing enters it.
  ///
  /// - Parameters:
  ///   - keyPath: The field.
  ///   - change: Makes a change of the form of a change of the field.
  /// - Returns: The value, to be read and written by a text field.
  public func glue<Value, Issue>(
    field keyPath: any KeyPath<Design, FormField<Value, Issue>> & Sendable,
    change: @escaping @Sendable (FieldRules<Value, Issue>.Change) -> Change
  ) -> Glue<Value> {
    Glue(get: { design[keyPath: keyPath].value }, set: { build(change(.enter($0))) })
  }
}
