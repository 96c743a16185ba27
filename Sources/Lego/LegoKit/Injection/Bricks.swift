/// The blueprints that are parts of other blueprints.
public struct Bricks: Sendable {
  /// Creates a view of the bricks in force.
  public init() {}

  /// The brick in force: the task's override, or else the process-wide one, or else its default.
  ///
  /// Setting it replaces the brick for the whole process. A second replacement overwrites the
  /// first.
  public static subscript<B: Blueprint>(key: B.Type) -> B.Value {
    get { Injection.brick(key) }
    set { Injection.set(newValue, for: key) }
  }
}

/// A blueprint that is part of another.
///
/// It is looked up each time it is used.
@propertyWrapper
public struct Brick<Value>: Sendable {
  private let read: @Sendable (Bricks) -> Value

  /// Creates a reference to a brick.
  ///
  /// - Parameter read: The property of `Bricks`, for example a key path such as `\.name`.
  public init(_ read: @escaping @Sendable (Bricks) -> Value) {
    self.read = read
  }

  /// The brick in force now.
  public var wrappedValue: Value { read(Bricks()) }
}
