/// The blueprints that other blueprints are built of.
public struct Bricks: Sendable {
  /// Creates a view of the bricks in force.
  @inlinable public init() {}

  /// The brick in force: the task's override, else the process-wide one, else its own default.
  ///
  /// Setting replaces the brick for the whole process; a second replacement takes the place of
  /// the first.
  public static subscript<B: Blueprint>(key: B.Type) -> B.Value {
    @inlinable get { Injection.brick(key) }
    set { Injection.setBrick(newValue, for: key) }
  }
}

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
