/// A value that another program has saved while this one was running.
///
/// Use it as the payload of a change, and let the blueprint decide how to merge it:
///
/// ```swift
/// case .arrived(let arrival): design = arrival.merged(into: design)
/// ```
public struct KeptArrival<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The last value in the file that this program knew.
  public let base: Value
  /// The value that is in the file now.
  public let theirs: Value

  /// Creates an arrival, for example in a test.
  public init(base: Value, theirs: Value) {
    self.base = base
    self.theirs = theirs
  }
}

extension KeptArrival: Encodable where Value: Encodable {}
extension KeptArrival: Decodable where Value: Decodable {}

extension KeptArrival where Value: Mergeable {
  /// Returns a value that includes the changes of the other program.
  ///
  /// - Parameter mine: The value of this program.
  /// - Returns: `theirs` if this program has changed nothing; otherwise the merged value.
  public func merged(into mine: Value) -> Value {
    mine == base ? theirs : mine.merged(with: theirs, since: base)
  }
}

/// A value that two programs can change at the same time, with a rule for merging the changes.
public protocol Mergeable: Equatable {
  /// Returns this value with the changes of another program.
  ///
  /// - Parameters:
  ///   - theirs: The value that the other program has saved.
  ///   - base: The common base: the last value in the file that this program knew.
  /// - Returns: The value with both changes.
  func merged(with theirs: Self, since base: Self) -> Self
}

extension Mergeable {
  /// Merges values whose static type is not known to be this type; `nil` if the types differ.
  func mergedAny<Value>(with theirs: Value, since base: Value) -> Value? {
    guard let theirs = theirs as? Self, let base = base as? Self else { return nil }
    return merged(with: theirs, since: base) as? Value
  }
}
