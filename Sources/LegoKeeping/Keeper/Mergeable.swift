/// A value that two programs may change at the same time, with the rule that brings them together.
public protocol Mergeable: Equatable {
  /// This value, with what another program has done to it.
  ///
  /// - Parameters:
  ///   - theirs: The value that the other program has saved.
  ///   - base: The value that both started from: the last one in the file that this program knew.
  /// - Returns: The value with both changes.
  func merged(with theirs: Self, since base: Self) -> Self
}

extension Mergeable {
  /// The same, of values whose type is not known to be this one; `nil` when it is not.
  func mergedAny<Value>(with theirs: Value, since base: Value) -> Value? {
    guard let theirs = theirs as? Self, let base = base as? Self else { return nil }
    return merged(with: theirs, since: base) as? Value
  }
}
