/// An effect that follows from a part of the design.
///
/// It starts with the store, and is cancelled and started anew each time the part becomes
/// another. Answer `.none` for a value that needs no effect.
public struct Follow<B: Blueprint>: Sendable {
  /// Looks at a design, and answers with an effect when the part has become another.
  let next: @Sendable (B.Design) -> Effect<B.Change>?
  let id = EffectID.unique()

  /// Creates an effect that follows from a part of the design.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - effect: The effect for a value of the part.
  public init<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable,
    _ effect: @escaping @Sendable (Value) -> Effect<B.Change>
  ) {
    let last = LastValue<Value>()
    next = { design in
      let value = design[keyPath: keyPath]
      return last.replace(with: value) ? effect(value) : nil
    }
  }
}
