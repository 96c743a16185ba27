/// A blueprint that is part of another, looked up each time it is used.
@propertyWrapper
public struct Brick<Value>: Sendable {
  @usableFromInline let read: @Sendable (Bricks) -> Value

  /// Names the brick.
  ///
  /// - Parameter read: Its property of `Bricks`; a key path such as `\.name` will do, and costs no
  ///   more than the property itself.
  @inlinable public init(_ read: @escaping @Sendable (Bricks) -> Value) {
    self.read = read
  }

  /// The brick in force now.
  @inlinable public var wrappedValue: Value { read(Bricks()) }
}
