internal import Synchronization

/// The identity of a subscriber or a subscription.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
  private enum Value: Hashable, Sendable {
    case number(UInt64)
    case object(ObjectIdentifier)
  }

  private static let counter = Atomic<UInt64>(0)
  private let value: Value

  /// Creates an identity that no other has.
  public init() {
    value = .number(Self.counter.add(1, ordering: .relaxed).newValue)
  }

  /// Creates the identity of an object, which holds for as long as the object lives.
  public init(_ object: AnyObject) {
    value = .object(ObjectIdentifier(object))
  }

  /// The identity as text, for logs.
  public var description: String {
    switch value {
    case .number(let number): "\(number)"
    case .object(let object): "\(object)"
    }
  }
}

/// Something that is told apart by a ``CombineIdentifier``.
public protocol CustomCombineIdentifierConvertible {
  /// The identity.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The object's own identity.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
