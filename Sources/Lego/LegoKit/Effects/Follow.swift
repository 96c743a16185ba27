internal import Synchronization

/// An effect that follows from a part of the design.
///
/// It starts with the store. Each time the part changes, the effect is cancelled and started again.
/// Return `.none` for a value that needs no effect.
public struct Follow<B: Blueprint>: Sendable {
  /// Receives a design, and returns an effect if one starts or ends.
  typealias Inspect = @Sendable (B.Design) -> Effect<B.Change>?

  /// Creates a closure that receives the designs in order, one at a time.
  let begin: @Sendable () -> Inspect
  let id: EffectID

  init(id: EffectID, begin: @escaping @Sendable () -> Inspect) {
    self.id = id
    self.begin = begin
  }

  /// Creates an effect that follows from a part of the design.
  ///
  /// - Parameters:
  ///   - keyPath: The part.
  ///   - effect: Returns the effect for a value of the part.
  public init<Value: Equatable & Sendable>(
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

  /// Creates an effect that starts once, with the store or with the part that it belongs to.
  ///
  /// - Parameter effect: Returns the effect.
  public init(once effect: @escaping @Sendable () -> Effect<B.Change>) {
    self.init(once: EffectID.unique(), effect)
  }

  init(once id: EffectID, _ effect: @escaping @Sendable () -> Effect<B.Change>) {
    self.init(id: id) {
      let last = LastValue<Bool>()
      return { _ in last.replace(with: true) ? effect().identified(id, .all) : nil }
    }
  }
}

/// The last value seen.
final class LastValue<Value: Equatable & Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value? = nil) {
    self.value = Mutex(value)
  }

  /// Keeps a value.
  ///
  /// - Returns: `true` if it differs from the previous one.
  @discardableResult func replace(with new: Value) -> Bool {
    let old = value.withLock { value in
      defer { value = new }
      return value
    }
    return old != new
  }
}
