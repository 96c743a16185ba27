/// A value that is not shown: it is not printed, logged, recorded or kept.
///
/// Use it instead of the value in a design or a change. Printing or dumping a design, or comparing
/// it in a test, shows `(secret)`. Encoding writes the string `(secret)`, and decoding results in a
/// secret without a value. A recording or a kept design therefore never contains the value.
///
/// This only prevents accidental disclosure: ``value`` returns the value to any code.
public struct Secret<Value: Sendable>: Sendable {
  /// The value; `nil` if the secret was decoded from a recording or a kept design.
  public let value: Value?

  /// Creates a secret with a value.
  public init(_ value: Value) {
    self.value = value
  }

  /// A secret without a value, as decoded from a recording.
  public static var withoutValue: Secret { Secret(optional: nil) }

  private init(optional value: Value?) {
    self.value = value
  }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `(secret)`.
  public var description: String { "(secret)" }
  /// Always `(secret)`.
  public var debugDescription: String { description }
  /// A structure without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Secret: Codable {
  /// Creates a secret without a value from any content.
  public init(from decoder: any Decoder) throws {
    self = .withoutValue
  }

  /// Writes the string `(secret)`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
