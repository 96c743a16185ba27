internal import Synchronization

/// The identity of a subscriber or a subscription.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  private enum Value: Hashable, Sendable {
    case number(UInt64)
    case object(ObjectIdentifier)
  }

  private static let counter = Atomic<UInt64>(0)
  private let value: Value

  /// Creates a unique identity.
  public init() { value = .number(Self.counter.add(1, ordering: .relaxed).newValue) }

  /// Creates the identity of an object, which is valid as long as the object exists.
  public init(_ object: AnyObject) { value = .object(ObjectIdentifier(object)) }

  /// The identity as text, for logs.
  public var description: String {
    switch value {
    case .number(let number): "\(number)"
    case .object(let object): "\(object)"
    }
  }
}

/// A type whose values have a ``CombineIdentifier``.
public protocol CustomCombineIdentifierConvertible {
  /// The identity.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identity of the object.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
