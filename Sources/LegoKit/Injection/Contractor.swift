/// A service, looked up each time it is used.
@propertyWrapper
public struct Contractor<Value>: Sendable {
  @usableFromInline let keyPath: any KeyPath<Contractors, Value> & Sendable

  /// Names the service.
  @inlinable public init(_ keyPath: any KeyPath<Contractors, Value> & Sendable) {
    self.keyPath = keyPath
  }

  /// The service in force now.
  @inlinable public var wrappedValue: Value { Contractors()[keyPath: keyPath] }
}
