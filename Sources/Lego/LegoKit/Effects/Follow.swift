internal import Synchronization

/// An effect that restarts each time a part of the design changes.
///
/// The effect starts when the store is created, or when the part that its adaptor belongs to
/// appears. Each time the value at the key path changes, the running effect is cancelled and a new
/// one starts.
public struct Follow<B: Blueprint>: Sendable {
  /// A closure that receives each design, and returns the effect to start.
  ///
  /// The new effect cancels the previous one. If the closure returns `nil`, the previous effect
  /// continues.
  typealias Inspect = @Sendable (B.Design) -> Effect<B.Change>?

  /// Creates a closure that is called with the designs in order, one at a time.
  let begin: @Sendable () -> Inspect
  let id: EffectID

  init(id: EffectID, begin: @escaping @Sendable () -> Inspect) {
    self.id = id
    self.begin = begin
  }

  /// Creates an effect that restarts each time the value at a key path changes.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the value.
  ///   - effect: Returns the effect for a value, or `.none` if the value needs no effect.
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

  /// Creates an effect that starts once and never restarts.
  ///
  /// The effect starts when the store is created, or when the part that its adaptor belongs to
  /// appears.
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

/// The last value received, used to detect whether the next one differs.
final class LastValue<Value: Equatable & Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value? = nil) {
    self.value = Mutex(value)
  }

  /// Replaces the last value.
  ///
  /// - Returns: `true` if the new value differs from the last one, or if there was no last value.
  @discardableResult func replace(with new: Value) -> Bool {
    let old = value.withLock { value in
      defer { value = new }
      return value
    }
    return old != new
  }
}
