/// The current bricks: blueprints that other blueprints use.
public struct Bricks: Sendable {
  /// Creates a view of the current bricks.
  public init() {}

  /// The current brick: the task's override, the process-wide replacement or the default, in that
  /// order.
  ///
  /// Setting the brick in the first closure of `withBricks(_:operation:)` overrides it for the
  /// operation. Setting it anywhere else replaces it for the whole process, except for tasks that
  /// override it.
  public static subscript<B: Blueprint>(key: B.Type) -> B.Value {
    get { Injection.brick(key) }
    set { Injection.set(newValue, for: key) }
  }
}

/// A property wrapper that reads the current brick.
///
/// The brick is looked up each time the property is read.
@propertyWrapper
public struct Brick<Value>: Sendable {
  private let read: @Sendable (Bricks) -> Value

  /// Creates a reference to a brick.
  ///
  /// - Parameter read: Returns the brick. Pass a closure, or the key path of a property of
  ///   `Bricks`, such as `\.name`.
  public init(_ read: @escaping @Sendable (Bricks) -> Value) {
    self.read = read
  }

  /// The current brick.
  public var wrappedValue: Value { read(Bricks()) }
}
