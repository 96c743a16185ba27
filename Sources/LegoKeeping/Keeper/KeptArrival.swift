/// What another program has saved while this one was running.
///
/// Make it the payload of a change. The blueprint decides what becomes of it:
///
/// ```swift
/// case .arrived(let arrival): design = arrival.merged(into: design)
/// ```
public struct KeptArrival<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The last value in the file that this program knew.
  public let base: Value
  /// The value that is in the file now.
  public let theirs: Value

  /// Creates an arrival, as for a test.
  public init(base: Value, theirs: Value) {
    self.base = base
    self.theirs = theirs
  }
}

extension KeptArrival: Encodable where Value: Encodable {}
extension KeptArrival: Decodable where Value: Decodable {}

extension KeptArrival where Value: Mergeable {
  /// A value with what the other program has done to it.
  ///
  /// - Parameter mine: The value of this program.
  /// - Returns: Theirs, where this program has changed nothing; else what the value's rule makes of
  ///   both.
  public func merged(into mine: Value) -> Value {
    mine == base ? theirs : mine.merged(with: theirs, since: base)
  }
}

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
