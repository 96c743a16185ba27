/// An effect that follows from a part of the design.
///
/// It starts with the store, and is cancelled and started anew each time the part becomes
/// another. Answer `.none` for a value that needs no effect.
public struct Follow<B: Blueprint>: Sendable {
  /// Looks at a design, and answers with an effect when there is one to start or to cancel.
  @usableFromInline typealias Look = @Sendable (B.Design) -> Effect<B.Change>?

  /// Begins to look at designs, which have to come in their order and one at a time.
  let begin: @Sendable () -> Look
  let id: EffectID

  @usableFromInline init(id: EffectID, begin: @escaping @Sendable () -> Look) {
    self.id = id
    self.begin = begin
  }

  /// Creates an effect that follows from a part of the design.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - effect: The effect for a value of the part.
  @inlinable public init<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable,
    _ effect: @escaping @Sendable (Value) -> Effect<B.Change>
  ) {
    let id = EffectID.unique()
    self.init(id: id) {
      let last = LastValue<Value>()
      return { design in
        let value = design[keyPath: keyPath]
        guard last.replace(with: value) else { return nil }
        return .merge(Effect(.cancel(id)), effect(value).identified(id, .runNewest()))
      }
    }
  }

  /// Creates an effect that starts with the store, or with the part that it belongs to, and once
  /// only.
  ///
  /// - Parameter effect: Makes the effect.
  @inlinable public init(once effect: @escaping @Sendable () -> Effect<B.Change>) {
    self.init(once: EffectID.unique(), effect)
  }

  @inlinable init(once id: EffectID, _ effect: @escaping @Sendable () -> Effect<B.Change>) {
    self.init(id: id) {
      let last = LastValue<Bool>()
      return { _ in last.replace(with: true) ? effect().identified(id, .all) : nil }
    }
  }
}
