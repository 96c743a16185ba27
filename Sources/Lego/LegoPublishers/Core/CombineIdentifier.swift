internal import Synchronization

/// An identifier for a subscriber or a subscription.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  private enum Value: Hashable, Sendable {
    case number(UInt64)
    case object(ObjectIdentifier)
  }

  private static let counter = Atomic<UInt64>(0)
  private let value: Value

  /// Creates a unique identifier.
  public init() { value = .number(Self.counter.add(1, ordering: .relaxed).newValue) }

  /// Creates an identifier for the given object.
  ///
  /// The identifier is unique only while the object exists.
  public init(_ object: AnyObject) { value = .object(ObjectIdentifier(object)) }

  /// A textual representation of the identifier, for logs.
  public var description: String {
    switch value {
    case .number(let number): "\(number)"
    case .object(let object): "\(object)"
    }
  }
}

/// A type whose instances have a ``CombineIdentifier``.
public protocol CustomCombineIdentifierConvertible {
  /// The identifier of this instance.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// An identifier based on the identity of this object.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
