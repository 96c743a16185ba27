/// A service, looked up each time it is used.
@propertyWrapper
public struct Contractor<Value>: Sendable {
  private let keyPath: any KeyPath<Contractors, Value> & Sendable

  /// Names the service.
  public init(_ keyPath: any KeyPath<Contractors, Value> & Sendable) {
    self.keyPath = keyPath
  }

  /// The service in force now.
  public var wrappedValue: Value { Contractors()[keyPath: keyPath] }
}
