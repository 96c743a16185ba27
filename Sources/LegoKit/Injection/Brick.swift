/// A blueprint that is part of another, looked up each time it is used.
@propertyWrapper
public struct Brick<Value>: Sendable {
  @usableFromInline let keyPath: any KeyPath<Bricks, Value> & Sendable

  /// Names the brick.
  @inlinable public init(_ keyPath: any KeyPath<Bricks, Value> & Sendable) {
    self.keyPath = keyPath
  }

  /// The brick in force now.
  @inlinable public var wrappedValue: Value { Bricks()[keyPath: keyPath] }
}
