/// Reads a value in a design, and writes it by building a change.
///
/// A `Glue` is like a SwiftUI binding: a form field or a terminal widget reads and writes its
/// ``wrappedValue``.
@propertyWrapper
public struct Glue<Value: Sendable>: Sendable {
  private let get: @Sendable () -> Value
  private let set: @Sendable (Value) -> Void

  /// Creates a `Glue` from closures that read and write a value.
  public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// The current value.
  ///
  /// Writing a value builds a change.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The `Glue` itself.
  public var projectedValue: Glue { self }
}

extension Lego {
  /// Returns a `Glue` for the value at a key path.
  ///
  /// Writing a value builds the change that `change` returns for it.
  public func glue<Value: Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable,
    change: @escaping @Sendable (Value) -> B.Change
  ) -> Glue<Value> {
    Glue(get: { self.design[keyPath: keyPath] }, set: { self.build(change($0)) })
  }

  /// Returns a `Glue` for the value at a key path.
  ///
  /// Every write builds the given change, regardless of the value.
  public func glue<Value: Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable, change: B.Change
  ) -> Glue<Value> {
    glue(keyPath) { _ in change }
  }
}
