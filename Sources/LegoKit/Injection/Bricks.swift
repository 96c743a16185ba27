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
