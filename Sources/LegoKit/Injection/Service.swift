/// A dependency that is found by its type, and can be replaced.
public protocol Service: Sendable {
  /// The type of what is found, which is the service itself unless it says otherwise.
  associatedtype Value: Sendable = Self

  /// What is found when nothing else was put in its place.
  static var contractor: Value { get }

  /// What a test finds that put nothing in its place.
  ///
  /// Without one, such a test fails with a message that names the service.
  static var testContractor: Value? { get }
}

extension Service {
  /// Nothing: a test has to say what it wants.
  public static var testContractor: Value? { nil }
}
