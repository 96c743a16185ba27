/// A service, looked up each time it is used.
@propertyWrapper
public struct Contractor<Value>: Sendable {
  @usableFromInline let read: @Sendable (Contractors) -> Value

  /// Names the service.
  ///
  /// - Parameter read: Its property of `Contractors`; a key path such as `\.name` will do, and costs no
  ///   more than the property itself.
  @inlinable public init(_ read: @escaping @Sendable (Contractors) -> Value) {
    self.read = read
  }

  /// The service in force now.
  @inlinable public var wrappedValue: Value { read(Contractors()) }
}
