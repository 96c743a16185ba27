/// A value that another program saved while this program was running.
///
/// Use it as the payload of a change, and let the blueprint decide how to merge it:
///
/// ```swift
/// case .arrived(let arrival): design = arrival.merged(into: design)
/// ```
public struct KeptArrival<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The value that this program last read from or wrote to the file.
  public let base: Value
  /// The value that the other program has saved.
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
  /// Merges the other program's changes into a value.
  ///
  /// - Parameter mine: The current value of this program.
  /// - Returns: `theirs` if this program has not changed the value; otherwise, the merged value.
  public func merged(into mine: Value) -> Value {
    mine == base ? theirs : mine.merged(with: theirs, since: base)
  }
}

/// A type whose values can be merged after two programs have changed them independently.
public protocol Mergeable: Equatable {
  /// Merges this value with a value that another program has saved.
  ///
  /// - Parameters:
  ///   - theirs: The value that the other program has saved.
  ///   - base: The common base, which is the value that this program last read from or wrote to the
  ///     file.
  /// - Returns: A value with the changes of both programs.
  func merged(with theirs: Self, since base: Self) -> Self
}

extension Mergeable {
  /// Merges values of a generic type, or returns `nil` if that type is not `Self`.
  func mergedAny<Value>(with theirs: Value, since base: Value) -> Value? {
    guard let theirs = theirs as? Self, let base = base as? Self else { return nil }
    return merged(with: theirs, since: base) as? Value
  }
}
