/// A dependency that is found by its type, and can be replaced.
public protocol Service: Sendable {
  /// The type of what is found, which is the service itself unless it says otherwise.
  associatedtype Value: Sendable = Self

  /// What is found when nothing else was put in its place.
  static var contractor: Value { get }
}
