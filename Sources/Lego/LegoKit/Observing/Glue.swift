/// A value of a design that can be read, and written by building a change.
///
/// It corresponds to a SwiftUI binding: a form field or a terminal widget reads and writes
/// ``wrappedValue``.
@propertyWrapper
public struct Glue<Value: Sendable>: Sendable {
  private let get: @Sendable () -> Value
  private let set: @Sendable (Value) -> Void

  /// Creates a value from two closures that read and write it.
  public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// The current value.
  ///
  /// Writing it builds a change.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The glue itself.
  public var projectedValue: Glue { self }
}

extension Lego {
  /// A value of the design.
  ///
  /// Writing it builds a change that is made from the new value.
  public func glue<Value: Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable,
    change: @escaping @Sendable (Value) -> B.Change
  ) -> Glue<Value> {
    Glue(get: { self.design[keyPath: keyPath] }, set: { self.build(change($0)) })
  }

  /// A value of the design.
  ///
  /// Writing it builds one change, whatever the new value is.
  public func glue<Value: Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable, change: B.Change
  ) -> Glue<Value> {
    glue(keyPath) { _ in change }
  }
}
