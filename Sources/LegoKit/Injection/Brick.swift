/// A blueprint that is part of another, looked up each time it is used.
@propertyWrapper
public struct Brick<Value>: Sendable {
  private let keyPath: any KeyPath<Bricks, Value> & Sendable

  /// Names the brick.
  public init(_ keyPath: any KeyPath<Bricks, Value> & Sendable) {
    self.keyPath = keyPath
  }

  /// The brick in force now.
  public var wrappedValue: Value { Bricks()[keyPath: keyPath] }
}
