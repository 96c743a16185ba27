/// A value of a design that can be read, and written by building a change.
///
/// It stands where SwiftUI has a binding: a form field or a terminal widget reads
/// ``wrappedValue`` and writes to it.
@propertyWrapper
public struct Glue<Value: Sendable>: Sendable {
  private let get: @Sendable () -> Value
  private let set: @Sendable (Value) -> Void

  /// Creates a value from how it is read and written.
  public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// The value now; writing builds a change.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The glue itself, to be handed on.
  public var projectedValue: Glue { self }
}

extension Lego {
  /// A value of the design whose writing builds the change made of it.
  public func glue<Value: Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable,
    change: @escaping @Sendable (Value) -> B.Change
  ) -> Glue<Value> {
    Glue(get: { self.design[keyPath: keyPath] }, set: { self.build(change($0)) })
  }

  /// A value of the design whose writing builds one change, whatever is written.
  public func glue<Value: Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable, change: B.Change
  ) -> Glue<Value> {
    glue(keyPath) { _ in change }
  }
}
